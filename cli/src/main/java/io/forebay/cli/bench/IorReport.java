// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.bench;

import io.forebay.base.ByteSize;
import io.forebay.base.Json;
import io.forebay.bench.Benchmark;
import io.forebay.bench.Machine;
import io.forebay.bench.Report;
import io.forebay.bench.ior.IorLayout;
import io.forebay.bench.ior.IorOption;
import io.forebay.bench.ior.IorOutcome;
import io.forebay.bench.ior.IorPlan;
import io.forebay.bench.ior.IorTarget;
import io.forebay.bench.ior.Measurement;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.Table;
import io.forebay.cli.version.BuildInfo;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The output of {@code forebay bench ior}: IOR's tables, or the same figures as JSON. */
record IorReport(IorTarget target, IorCommand.Ranks ranks, IorOutcome outcome) {
  private static final int FILE_CHARS_MAX = 76;

  private static final double KIB = 1024;

  void print(PrintWriter out) {
    options().forEach((name, value) -> out.println("%-20s: %s".formatted(name, value)));
    out.println();
    lines().print(out);
    out.println();
    summary().print(out);
    if (checks()) {
      out.println();
      out.println("transfers that differ from what was written: " + outcome.wrong());
    }
    out.flush();
  }

  private Map<String, String> options() {
    IorPlan plan = outcome.plan();
    IorLayout layout = plan.layout();
    Map<String, String> options = new LinkedHashMap<>();
    options.put("api", target.description());
    String file = target.where() + slash() + target.testFile();
    options.put("test filename", Brief.end(file, FILE_CHARS_MAX));
    options.put("access", layout.filePerTask() ? "file-per-process" : "single-shared-file");
    options.put("segments", Integer.toString(layout.segments()));
    options.put("ordering in a file", layout.random() ? "random" : "sequential");
    options.put(
        "ordering inter file",
        plan.options().contains(IorOption.REORDER)
            ? "constant task offset = 1"
            : "no tasks offsets");
    options.put("tasks", layout.tasks() + " " + word(ranks));
    options.put("repetitions", Integer.toString(plan.iterations()));
    options.put("xfersize", ByteSize.format(layout.transferBytes()));
    options.put("blocksize", ByteSize.format(layout.blockBytes()));
    options.put("aggregate filesize", ByteSize.format(layout.totalBytes()));
    return options;
  }

  private String slash() {
    return target.testFile().startsWith("/") ? "" : "/";
  }

  private boolean checks() {
    return outcome.plan().options().contains(IorOption.CHECK_WRITE)
        || outcome.plan().options().contains(IorOption.CHECK_READ);
  }

  private Table lines() {
    IorLayout layout = outcome.plan().layout();
    Table table =
        new Table(
            1,
            "access",
            "bw(MiB/s)",
            "IOPS",
            "Latency(s)",
            "block(KiB)",
            "xfer(KiB)",
            "open(s)",
            "wr/rd(s)",
            "close(s)",
            "total(s)",
            "iter");
    for (Measurement each : outcome.measurements()) {
      table.row(
          each.access(),
          fixed(2, each.mibPerSecond()),
          fixed(2, each.transfersPerSecond()),
          fixed(6, each.latencySeconds()),
          fixed(0, layout.blockBytes() / KIB),
          fixed(2, layout.transferBytes() / KIB),
          fixed(4, each.openSeconds()),
          fixed(4, each.moveSeconds()),
          fixed(4, each.closeSeconds()),
          fixed(4, each.totalSeconds()),
          Integer.toString(each.iteration()));
    }
    return table;
  }

  private Table summary() {
    Table table =
        new Table(
            1, "Operation", "Max(MiB)", "Min(MiB)", "Mean(MiB)", "StdDev", "Mean(s)", "#Tasks");
    for (IorOutcome.Summary each : outcome.summaries()) {
      table.row(
          each.access(),
          fixed(2, each.max()),
          fixed(2, each.min()),
          fixed(2, each.mean()),
          fixed(2, each.deviation()),
          fixed(4, each.meanSeconds()),
          Integer.toString(outcome.plan().layout().tasks()));
    }
    return table;
  }

  void printJson(PrintWriter out, long seed) {
    Report report =
        new Report(
            "ior",
            BuildInfo.load().commit(),
            Machine.current(),
            seed,
            new Benchmark.Outcome(outcome.results(), List.of()));
    Map<String, @Nullable Object> tree = new LinkedHashMap<>(report.toTree());
    tree.put("parameters", parameters());
    tree.put("iterations", outcome.lines());
    tree.put("wrongTransfers", checks() ? outcome.wrong() : null);
    out.println(Json.write(tree));
    out.flush();
  }

  private Map<String, Object> parameters() {
    IorPlan plan = outcome.plan();
    IorLayout layout = plan.layout();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("api", target.description());
    tree.put("testFile", target.where() + slash() + target.testFile());
    tree.put("tasks", layout.tasks());
    tree.put("ranks", word(ranks));
    tree.put("transferBytes", layout.transferBytes());
    tree.put("blockBytes", layout.blockBytes());
    tree.put("segments", layout.segments());
    tree.put("filePerTask", layout.filePerTask());
    tree.put("random", layout.random());
    tree.put("delaySeconds", plan.delaySeconds());
    tree.put("options", plan.options().stream().map(IorReport::word).sorted().toList());
    return tree;
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String fixed(int decimals, double value) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
