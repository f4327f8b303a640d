// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.managers;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.client.Cluster;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes a manager. */
@Command(
    name = "remove",
    description = {
      "Remove a manager from those of the cluster; its process ends.",
      "It can come back only with an empty directory."
    })
final class ManagersRemoveCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(paramLabel = "MANAGER", description = "Its name, as 'forebay managers' shows it.")
  private String manager = "";

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    try (Cluster cluster = remote.cluster()) {
      cluster.removeManager(manager);
      spec.commandLine()
          .getErr()
          .println(
              "removed %s; %s"
                  .formatted(manager, ManagersText.sentence(cluster.managerStatus().managers())));
    }
    return 0;
  }
}
