// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments;

import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.experiments.report.BarChart;
import io.forebay.bench.experiments.report.Comparison;
import io.forebay.bench.experiments.report.Findings;
import io.forebay.bench.netcdf.LogPlace;
import io.forebay.bench.netcdf.NetcdfGround;
import io.forebay.bench.netcdf.NetcdfOptions;
import io.forebay.bench.netcdf.crew.Crew;
import io.forebay.bench.netcdf.crew.Measured;
import io.forebay.bench.netcdf.crew.Store;
import io.forebay.bench.netcdf.crew.Workload;
import io.forebay.bench.netcdf.mode.Mode;
import io.forebay.bench.process.ServedCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * Hou et al., Figs. 9 and 10: the cost of creating logs and writing to them, with a log for each
 * rank and one for each node, on the node itself, on a shared and on a private instance.
 */
final class LogMappingExperiment implements Experiment {
  private static final int RANKS = 8;
  private static final int RANKS_PER_NODE = 4;
  private static final long TRANSFER_BYTES = 64 << 10;
  private static final int RANK_PART = 32;
  private static final String UNIT = "ms";

  /** The kind of log, and its place. */
  private record Way(Mode mode, LogPlace place) {
    String name() {
      return mode.text() + ", " + place.name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  public String name() {
    return "netcdf-logs";
  }

  @Override
  public Findings run(Ground ground) throws IOException, InterruptedException {
    long rankBytes = Math.max(TRANSFER_BYTES, ground.scale().tierBytes() / RANK_PART);
    Workload workload =
        new Workload(Workload.Kind.IOR_CONTIGUOUS, RANKS, TRANSFER_BYTES, rankBytes);
    List<Way> ways = new ArrayList<>();
    for (LogPlace place : LogPlace.values()) {
      ways.add(new Way(Mode.LOG_PROCESS, place));
      ways.add(new Way(Mode.LOG_NODE, place));
    }
    ground.progress().measuring("netcdf-logs: a log for each rank and for each node");
    NetcdfOptions options = NetcdfOptions.usual().onNodes(RANKS_PER_NODE);
    ServedCluster cluster =
        ground
            .clusters()
            .start(NetcdfGround.shape(RANKS * rankBytes), ground.scratch().onDevice("log-ring"));
    try (NetcdfGround netcdf =
        NetcdfGround.open(ground.scratch(), name(), Crew.ofThreads(), cluster, null)) {
      List<Rounds.Trial<Measured>> trials = new ArrayList<>();
      for (Way way : ways) {
        trials.add(() -> netcdf.measure(workload, way.mode, Store.FAST, way.place, options));
      }
      return findings(ways, ground.scale().measure(trials));
    }
  }

  private Findings findings(List<Way> ways, List<List<Measured>> measured) {
    List<Result> results = new ArrayList<>();
    List<BarChart.Group> groups = new ArrayList<>();
    List<Samples> creating = new ArrayList<>();
    List<Samples> writing = new ArrayList<>();
    for (int i = 0; i < ways.size(); i++) {
      creating.add(millis(measured.get(i), Measured::createNanos));
      writing.add(millis(measured.get(i), Measured::logNanos));
      String name = ways.get(i).name();
      results.add(Result.of("making logs, " + name, UNIT, Better.LOWER, creating.get(i)));
      results.add(Result.of("writing logs, " + name, UNIT, Better.LOWER, writing.get(i)));
      groups.add(
          new BarChart.Group(
              name,
              List.of(
                  new BarChart.Bar("making logs", creating.get(i).median()),
                  new BarChart.Bar("writing logs", writing.get(i).median()))));
    }
    BarChart chart =
        new BarChart(
            "A log for each rank, or for each node",
            "ms of the slowest rank; less is better",
            groups);
    return new Findings(name(), results, comparisons(ways, creating, writing), chart);
  }

  private static Samples millis(List<Measured> all, ToLongFunction<Measured> nanos) {
    double milli = TimeUnit.MILLISECONDS.toNanos(1);
    return Samples.of(all, each -> nanos.applyAsLong(each) / milli);
  }

  private static List<Comparison> comparisons(
      List<Way> ways, List<Samples> creating, List<Samples> writing) {
    int process = ways.indexOf(new Way(Mode.LOG_PROCESS, LogPlace.SHARED));
    int node = ways.indexOf(new Way(Mode.LOG_NODE, LogPlace.SHARED));
    int own = ways.indexOf(new Way(Mode.LOG_PROCESS, LogPlace.PRIVATE));
    int local = ways.indexOf(new Way(Mode.LOG_PROCESS, LogPlace.LOCAL));
    int localNode = ways.indexOf(new Way(Mode.LOG_NODE, LogPlace.LOCAL));
    return List.of(
        of("making logs, shared instance: node by process", "about 0.5", creating, node, process),
        of("making logs: private by shared instance", "< 1, by far", creating, own, process),
        of("making logs: shared instance by local", "> 1, by far", creating, process, local),
        of("writing logs, shared instance: node by process", "> 1", writing, node, process),
        of("writing logs, local: node by process", "> 1, by far", writing, localNode, local));
  }

  private static Comparison of(
      String what, String paper, List<Samples> samples, int value, int by) {
    return new Comparison(what, paper, samples.get(value).median() / samples.get(by).median());
  }
}
