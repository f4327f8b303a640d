// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.job;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.Brief;
import io.forebay.client.Cluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says where a job runs. */
@Command(
    name = "nodes",
    description = "Say on which nodes a job runs; without any node, that it has run.")
final class JobNodesCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(index = "0", paramLabel = "TOKEN", description = "Its token.")
  private String token = "";

  @Parameters(index = "1..*", arity = "0..*", paramLabel = "NODE", description = "Its nodes.")
  private List<String> nodes = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    try (Cluster cluster = remote.cluster()) {
      cluster.setNodes(token, nodes);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        nodes.isEmpty()
            ? "job '%s' runs nowhere".formatted(token)
            : "job '%s' runs on %s".formatted(token, Brief.counted(nodes.size(), "node")));
    out.flush();
    return 0;
  }
}
