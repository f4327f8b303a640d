// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.bench;

import io.forebay.base.Json;
import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Machine;
import io.forebay.bench.Report;
import io.forebay.bench.Result;
import io.forebay.bench.experiments.Experiments;
import io.forebay.bench.experiments.report.BarChart;
import io.forebay.bench.experiments.report.Comparison;
import io.forebay.bench.experiments.report.ExperimentPage;
import io.forebay.bench.experiments.report.Findings;
import io.forebay.bench.experiments.report.Statement;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Table;
import io.forebay.cli.version.BuildInfo;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Repeats the papers' measurements, and shows their ratios beside ours. */
@Command(
    name = "experiments",
    description = "Figures of the papers Forebay is built on: their ratios, and ours.")
final class ExperimentsCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME",
      description =
          "fig5, fig6, pattern, netcdf, netcdf-logs, geos5, coupling, iops or private (default: all"
              + " of them).")
  private List<String> names = new ArrayList<>();

  @Option(names = "--quick", description = "Measure less; the figures are less steady.")
  private boolean quick;

  @Option(names = "--json", description = "Print JSON instead of tables.")
  private boolean json;

  @Option(names = "--plots", paramLabel = "DIR", description = "Write plots there, as SVG.")
  private @Nullable Path plots;

  @Option(
      names = "--page",
      paramLabel = "FILE",
      description = "Put the tables into this page, between the marks 'begin NAME' and 'end NAME'.")
  private @Nullable Path page;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Where files on a device go for the time of the run (default: the temporary"
              + " folder).")
  private Path directory = Path.of(System.getProperty("java.io.tmpdir"));

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The seed of all random choices (default: ${DEFAULT-VALUE}).")
  private long seed = 7;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    for (String name : names) requireExperiment(spec, name);
    // Before it takes minutes.
    if (page != null) Files.readString(page);
    List<Findings> findings = measure(new BenchProgress(spec.commandLine().getErr()));
    if (plots != null) writePlots(findings, plots);
    if (page != null) updatePage(findings, page);
    PrintWriter out = spec.commandLine().getOut();
    if (json) out.println(Json.write(tree(findings)));
    else print(findings, out);
    out.flush();
    return CommandLine.ExitCode.OK;
  }

  private static void requireExperiment(CommandSpec spec, String name) {
    if (Experiments.names().contains(name)) return;
    throw new ParameterException(
        spec.commandLine(),
        "there is no experiment '%s'; there are %s"
            .formatted(name, String.join(", ", Experiments.names())));
  }

  private List<Findings> measure(Benchmark.Progress progress) throws IOException {
    try {
      return Experiments.run(names, new Benchmark.Options(quick, seed, directory), progress);
    } catch (BenchmarkImpossible impossible) {
      throw new CommandFailed(String.valueOf(impossible.getMessage()), impossible);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new CommandFailed("interrupted", interrupt);
    }
  }

  private static void writePlots(List<Findings> findings, Path folder) throws IOException {
    Files.createDirectories(folder);
    for (Findings each : findings) {
      for (Map.Entry<String, BarChart> chart : each.charts().entrySet()) {
        Files.writeString(folder.resolve(chart.getKey() + ".svg"), chart.getValue().toSvg());
      }
    }
  }

  private void updatePage(List<Findings> findings, Path file) throws IOException {
    try {
      String commit = BuildInfo.load().commit();
      ExperimentPage.update(file, findings, ExperimentPage.how(Machine.current(), commit, quick));
    } catch (ExperimentPage.NoMarks none) {
      throw new CommandFailed(String.valueOf(none.getMessage()), none);
    }
  }

  private Report report(List<Result> results) {
    return new Report(
        "experiments",
        BuildInfo.load().commit(),
        Machine.current(),
        seed,
        new Benchmark.Outcome(results, List.of()));
  }

  private Map<String, @Nullable Object> tree(List<Findings> findings) {
    List<Result> results = new ArrayList<>();
    List<Map<String, Object>> comparisons = new ArrayList<>();
    List<Map<String, Object>> statements = new ArrayList<>();
    for (Findings each : findings) {
      results.addAll(each.results());
      for (Comparison comparison : each.comparisons()) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("experiment", each.name());
        one.put("what", comparison.what());
        one.put("paper", comparison.paper());
        one.put("here", comparison.ours());
        comparisons.add(one);
      }
      for (Statement statement : each.statements()) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("experiment", each.name());
        one.put("paper", statement.paper());
        one.put("agrees", statement.agrees());
        one.put("here", statement.here());
        statements.add(one);
      }
    }
    Map<String, @Nullable Object> tree = new LinkedHashMap<>(report(results).toTree());
    tree.put("comparisons", comparisons);
    tree.put("statements", statements);
    return tree;
  }

  private void print(List<Findings> findings, PrintWriter out) {
    List<Result> results = new ArrayList<>();
    for (Findings each : findings) results.addAll(each.results());
    io.forebay.bench.Table.lines(report(results)).forEach(out::println);
    out.println();
    Table table = new Table(3, "experiment", "ratio", "paper", "here");
    for (Findings each : findings) {
      for (Comparison comparison : each.comparisons()) {
        table.row(
            each.name(),
            comparison.what(),
            comparison.paper(),
            ExperimentPage.ratio(comparison.ours()));
      }
    }
    table.print(out);
    for (Findings each : findings) {
      for (Statement statement : each.statements()) {
        out.println();
        out.println("%s: %s".formatted(statement.paper(), statement.verdict()));
        out.println("  " + statement.here());
      }
    }
  }
}
