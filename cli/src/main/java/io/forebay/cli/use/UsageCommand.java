// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.use;

import io.forebay.base.Json;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Table;
import io.forebay.client.Cluster;
import io.forebay.client.use.ClusterUsage;
import io.forebay.client.use.InstanceUsage;
import io.forebay.client.use.StagedBytes;
import io.forebay.client.use.UsageJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
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

/** Shows what was written and read of instances. */
@Command(
    name = "usage",
    description = {
      "Show what was written to and read from instances since they were created, on all servers",
      "together, and what their write protection says. 'window' is what was written within the",
      "window of the write protection, or within 24 hours; 'ssd' counts copies, spill and",
      "compaction too."
    })
public final class UsageCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(
      paramLabel = "INSTANCE",
      arity = "0..*",
      description = "Which instances, with their stages (default: all, without stages).")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--by",
      paramLabel = "user|pool",
      description = "Add the instances up by their owners, or by their pools.")
  private UsageSum.@Nullable By by;

  @Option(names = "--json", description = "Print everything as JSON, with DataWarp's names too.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    ClusterUsage usage;
    try (Cluster cluster = remote.cluster()) {
      usage = cluster.usage();
    }
    List<InstanceUsage> chosen = chosen(usage.instances());
    if (by != null) printSums(UsageSum.of(chosen, by), by, out);
    else if (json) out.println(Json.write(chosen.stream().map(this::json).toList()));
    else print(chosen, out);
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    usage
        .silent()
        .forEach((seat, why) -> err.println("forebay: WARNING: without " + seat + ": " + why));
    for (InstanceUsage each : chosen) {
      if (each.groupsMissing() > 0) err.println(missing(each));
    }
    err.flush();
    return 0;
  }

  private static String missing(InstanceUsage usage) {
    return "forebay: WARNING: '%s' lacks what %d of its groups count, which no server serves now"
            .formatted(usage.instance().name(), usage.groupsMissing())
        + "; 'forebay status' shows the servers that are away";
  }

  private List<InstanceUsage> chosen(List<InstanceUsage> all) {
    if (names.isEmpty()) return all;
    List<InstanceUsage> chosen = new ArrayList<>();
    for (String name : names) {
      chosen.add(
          all.stream()
              .filter(each -> each.instance().name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new CommandFailed(
                          "there is no instance '%s'; 'forebay instance list' shows them"
                              .formatted(name))));
    }
    return chosen;
  }

  private @Nullable StagedBytes staged(InstanceUsage usage) {
    return names.isEmpty() ? null : StagedQuery.of(remote, usage.instance());
  }

  private Map<String, @Nullable Object> json(InstanceUsage usage) {
    return UsageJson.of(usage, staged(usage));
  }

  private void printSums(List<UsageSum> sums, UsageSum.By key, PrintWriter out) {
    if (json) out.println(Json.write(sums.stream().map(each -> each.json(key)).toList()));
    else UsageSum.print(sums, key, out);
  }

  private void print(List<InstanceUsage> chosen, PrintWriter out) {
    Table table =
        new Table(
            1, "instance", "written", "window", "read", "ssd", "held", "most", "files", "limits");
    for (InstanceUsage usage : chosen) {
      table.row(
          usage.instance().name(),
          Brief.size(usage.writtenBytes()),
          Brief.size(usage.windowBytes()),
          Brief.size(usage.readBytes()),
          Brief.size(usage.ssdBytes()),
          Brief.size(usage.heldBytes()),
          Brief.size(usage.heldBytesMax()),
          Long.toString(usage.filesCreated()),
          usage.protectionWord());
    }
    table.print(out);
    for (InstanceUsage usage : chosen) {
      if (usage.isOver()) out.println("\n" + ProtectionState.sentence(usage));
      StagedBytes staged = staged(usage);
      if (staged == null || staged.inBytes() + staged.outBytes() == 0) continue;
      out.println(
          "\nstages of '%s' that are recorded: %s in, %s out"
              .formatted(
                  usage.instance().name(),
                  Brief.size(staged.inBytes()),
                  Brief.size(staged.outBytes())));
    }
  }
}
