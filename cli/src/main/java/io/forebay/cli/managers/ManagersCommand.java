// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.managers;

import io.forebay.base.Json;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.Table;
import io.forebay.client.Cluster;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the managers of a cluster. */
@Command(
    name = "managers",
    description = {
      "Show the managers of a cluster, and which of them leads.",
      "",
      "A further manager joins by itself: 'forebay manager --managers HOST:PORT' names those that",
      "the cluster has. docs/operations.md tells how many are useful, and how one is replaced."
    },
    subcommands = ManagersRemoveCommand.class)
public final class ManagersCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Option(names = "--json", description = "For programs.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    try (Cluster cluster = remote.cluster()) {
      List<Statuses.ManagerSeen> managers = cluster.managerStatus().managers();
      if (json) {
        out.println(Json.write(ManagersText.json(managers)));
        return 0;
      }
      Table table = new Table(2, "manager", "address", "state", "behind");
      for (Statuses.ManagerSeen each : managers) {
        table.row(
            each.name(),
            each.address().isEmpty() ? "-" : each.address(),
            ManagersText.state(each),
            each.behind() < 0 ? "-" : Long.toString(each.behind()));
      }
      table.print(out);
      if (managers.size() < 2) out.println("\n" + ManagersText.sentence(managers));
    }
    return 0;
  }
}
