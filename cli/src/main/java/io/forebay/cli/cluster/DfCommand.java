// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import io.forebay.base.ByteSize;
import io.forebay.base.Json;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Table;
import io.forebay.client.Cluster;
import io.forebay.client.file.Usage;
import io.forebay.ring.Instance;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows how full instances are. */
@Command(
    name = "df",
    description = {
      "Show how full instances are, in bytes of files and pairs; copies do not count.",
      "Unknown for instances with private access: each node has its own tree there."
    },
    footer = {"", "Example: forebay df scratch"})
public final class DfCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(
      paramLabel = "INSTANCE",
      arity = "0..*",
      description = "Which instances (default: all).")
  private List<String> names = new ArrayList<>();

  @Option(names = "--json", description = "Print everything as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    Map<Instance, @Nullable Usage> found = new LinkedHashMap<>();
    for (Instance instance : chosen()) found.put(instance, InstanceFill.of(remote, instance));
    if (json) out.println(Json.write(found.entrySet().stream().map(DfCommand::json).toList()));
    else print(found, out);
    out.flush();
    return 0;
  }

  private List<Instance> chosen() throws IOException {
    try (Cluster cluster = remote.cluster()) {
      List<Instance> all = cluster.instances();
      if (names.isEmpty()) return all;
      List<Instance> chosen = new ArrayList<>();
      for (String name : names) {
        chosen.add(
            all.stream()
                .filter(instance -> instance.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(name)));
      }
      return chosen;
    }
  }

  private static CommandFailed unknown(String name) {
    return new CommandFailed(
        "there is no instance '" + name + "'; 'forebay instance list' shows them");
  }

  private static void print(Map<Instance, @Nullable Usage> found, PrintWriter out) {
    Table table = new Table(1, "instance", "capacity", "used", "promised", "free", "fill", "nodes");
    found.forEach((instance, usage) -> table.row(row(instance, usage)));
    table.print(out);
  }

  private static String[] row(Instance instance, @Nullable Usage usage) {
    long capacity = instance.capacityBytes();
    String bound = capacity == 0 ? "-" : ByteSize.format(capacity);
    String none = InstanceFill.UNKNOWN;
    if (usage == null) return new String[] {instance.name(), bound, none, none, none, none, none};
    long free = Math.max(0, capacity - usage.usedBytes() - usage.promisedBytes());
    return new String[] {
      instance.name(),
      bound,
      InstanceFill.used(usage),
      ByteSize.format(usage.promisedBytes()),
      capacity == 0 ? "-" : ByteSize.format(free),
      InstanceFill.percent(usage),
      Long.toString(usage.nodes())
    };
  }

  private static Map<String, @Nullable Object> json(Map.Entry<Instance, @Nullable Usage> each) {
    Usage usage = each.getValue();
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("instance", each.getKey().name());
    json.put("capacityBytes", each.getKey().capacityBytes());
    json.put("usedBytes", usage == null ? null : usage.usedBytes());
    json.put("promisedBytes", usage == null ? null : usage.promisedBytes());
    json.put("nodes", usage == null ? null : usage.nodes());
    return json;
  }
}
