// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.use;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.client.Cluster;
import io.forebay.ring.Tenancy;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes which users an instance admits, and revokes capabilities. */
@Command(
    name = "access",
    description = {
      "Change which users an instance admits; its owner and root may. Each change also revokes all",
      "capabilities for the instance: clients of users that it admits get new ones and go on, others",
      "are refused within seconds."
    })
public final class InstanceAccessCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(paramLabel = "NAME", description = "Its name.")
  private String name = "";

  @Option(
      names = "--permit",
      paramLabel = "WORD",
      description = "Which users: OWNER, GROUP, the owner's; EVERYONE (default: as before).")
  private Tenancy.@Nullable Permit permit;

  @Option(
      names = "--root",
      paramLabel = "WORD",
      description =
          "What root of a client machine is on it: SQUASH, nobody; ALLOW, root (default: as"
              + " before).")
  private Tenancy.@Nullable Root root;

  @Option(
      names = "--revoke",
      description =
          "Only revoke: after a user has left a group, or a capability may have been stolen.")
  private boolean revoke;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    if (permit == null && root == null && !revoke) {
      throw remote.wrong("say what is to change: --permit, --root, or --revoke for neither");
    }
    try (Cluster cluster = remote.cluster()) {
      cluster.setAccess(name, permit, root);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("all capabilities for '%s' are revoked".formatted(name));
    out.flush();
    return 0;
  }
}
