// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.agent;

import io.forebay.base.Json;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.Table;
import io.forebay.client.Cluster;
import io.forebay.client.job.Node;
import io.forebay.client.job.NodeMount;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the nodes whose agents report, and their mounts. */
@Command(
    name = "nodes",
    description = "Show the compute nodes whose agents report to the manager, and their mounts.")
public final class NodesCommand implements Callable<Integer> {
  private static final int DIRECTORY_CHARS_MAX = 44;
  private static final int WHY_CHARS_MAX = 60;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(
      arity = "0..1",
      paramLabel = "TOKEN",
      description = "Only the nodes and mounts of this job.")
  private @Nullable String token;

  @Option(names = "--json", description = "Print everything as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    try (Cluster cluster = remote.cluster()) {
      List<Node> nodes = token == null ? cluster.nodes() : cluster.nodes(token);
      if (json) out.println(Json.write(nodes.stream().map(NodesCommand::json).toList()));
      else print(nodes, out);
    }
    out.flush();
    return 0;
  }

  private static void print(List<Node> nodes, PrintWriter out) {
    if (nodes.isEmpty()) {
      out.println("no agent has reported; start one on each compute node with 'forebay agent'");
      return;
    }
    Table table = new Table(2, "node", "agent", "mounts", "standing", "directory");
    List<String> reasons = new ArrayList<>();
    for (Node node : nodes) {
      String agent = agent(node);
      if (node.mounts().isEmpty()) table.row(node.name(), agent, "0", "-", "-");
      String count = Integer.toString(node.mounts().size());
      for (NodeMount mount : node.mounts()) {
        table.row(
            node.name(),
            agent,
            count,
            word(mount),
            Brief.end(mount.directory(), DIRECTORY_CHARS_MAX));
        if (!mount.why().isEmpty()) {
          reasons.add(node.name() + ": " + Brief.end(mount.why(), WHY_CHARS_MAX));
        }
      }
    }
    table.print(out);
    if (!reasons.isEmpty()) out.println();
    reasons.forEach(out::println);
  }

  private static String agent(Node node) {
    if (node.silent().isEmpty()) return "never heard";
    Duration silent = node.silent().get();
    return node.isHeard() ? "runs" : "silent for " + silent.toSeconds() + " s";
  }

  private static String word(NodeMount mount) {
    return mount.standing().name().toLowerCase(Locale.ROOT);
  }

  private static Map<String, @Nullable Object> json(Node node) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("node", node.name());
    json.put("heard", node.isHeard());
    json.put("silentMillis", node.silent().map(Duration::toMillis).orElse(null));
    List<Map<String, @Nullable Object>> mounts = new ArrayList<>();
    for (NodeMount mount : node.mounts()) {
      Map<String, @Nullable Object> each = new LinkedHashMap<>();
      each.put("directory", mount.directory());
      each.put("standing", word(mount));
      each.put("why", mount.why().isEmpty() ? null : mount.why());
      mounts.add(each);
    }
    json.put("mounts", mounts);
    return json;
  }
}
