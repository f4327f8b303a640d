// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments;

import io.forebay.bench.Rate;
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
import io.forebay.bench.netcdf.crew.Workload.Kind;
import io.forebay.bench.netcdf.mode.Mode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Hou et al., Figs. 5 to 8: the patterns of the paper in every mode on the slow profile, and how
 * long it takes to write the log or the staged file, and to bring it to the store.
 */
final class NetcdfExperiment implements Experiment {
  private static final int RANKS = 4;
  private static final int BTIO_RANKS = 9;
  private static final long SMALL = 4 << 10;

  /** A rank's share of IOR's patterns, as a part of what a writer has in the tiers' experiment. */
  private static final int RANK_PART = 16;

  /** From this size on FLASH and BTIO have their usual scale; below it they are tiny. */
  private static final long REAL_RANK_BYTES = 2 << 20;

  private static final int QUICK_DUMPS = 20;
  private static final int FULL_DUMPS = 40;

  @Override
  public String name() {
    return "netcdf";
  }

  /** The workloads, by their names in the chart. */
  private static Map<String, Workload> workloads(ExperimentScale scale) {
    long rankBytes = scale.tierBytes() / RANK_PART;
    long large = Math.min(1 << 20, rankBytes);
    boolean real = rankBytes >= REAL_RANK_BYTES;
    int dumps = rankBytes > REAL_RANK_BYTES ? FULL_DUMPS : QUICK_DUMPS;
    Map<String, Workload> all = new LinkedHashMap<>();
    all.put("contiguous, 4 KiB", new Workload(Kind.IOR_CONTIGUOUS, RANKS, SMALL, rankBytes));
    all.put("contiguous, 1 MiB", new Workload(Kind.IOR_CONTIGUOUS, RANKS, large, rankBytes));
    all.put("strided, 4 KiB", new Workload(Kind.IOR_STRIDED, RANKS, SMALL, rankBytes));
    all.put("strided, 1 MiB", new Workload(Kind.IOR_STRIDED, RANKS, large, rankBytes));
    all.put("FLASH", new Workload(Kind.FLASH, RANKS, real ? 8 : 2, real ? 80 : 2));
    all.put(
        "BTIO strong", new Workload(Kind.BTIO_STRONG, BTIO_RANKS, real ? 24 : 9, real ? dumps : 1));
    all.put(
        "BTIO weak", new Workload(Kind.BTIO_WEAK, BTIO_RANKS, real ? 18 : 9, real ? dumps / 5 : 1));
    return all;
  }

  @Override
  public Findings run(Ground ground) throws IOException, InterruptedException {
    Map<String, Map<Mode, List<Measured>>> measured = new LinkedHashMap<>();
    Map<String, Workload> workloads = workloads(ground.scale());
    try (NetcdfGround netcdf =
        NetcdfGround.open(ground.scratch(), name(), Crew.ofThreads(), null, null)) {
      for (Map.Entry<String, Workload> each : workloads.entrySet()) {
        ground.progress().measuring("netcdf: " + each.getKey());
        measured.put(each.getKey(), measure(ground.scale(), netcdf, each.getValue()));
      }
    }
    return new Findings(
        name(), results(workloads, measured), comparisons(measured), chart(workloads, measured));
  }

  private static Map<Mode, List<Measured>> measure(
      ExperimentScale scale, NetcdfGround netcdf, Workload workload)
      throws IOException, InterruptedException {
    List<Rounds.Trial<Measured>> trials = new ArrayList<>();
    for (Mode mode : Mode.values()) {
      trials.add(
          () -> netcdf.measure(workload, mode, Store.SLOW, LogPlace.LOCAL, NetcdfOptions.usual()));
    }
    List<List<Measured>> all = scale.measure(trials);
    Map<Mode, List<Measured>> byMode = new EnumMap<>(Mode.class);
    for (Mode mode : Mode.values()) byMode.put(mode, all.get(byMode.size()));
    return byMode;
  }

  private static List<Result> results(
      Map<String, Workload> workloads, Map<String, Map<Mode, List<Measured>>> measured) {
    List<Result> results = new ArrayList<>();
    measured.forEach(
        (name, byMode) ->
            byMode.forEach(
                (mode, all) ->
                    results.add(
                        Result.of(
                            name + ", " + mode.text(),
                            Rate.MIB_PER_SECOND,
                            Better.HIGHER,
                            rates(workloads, name, all)))));
    measured.forEach(
        (name, byMode) -> {
          List<Measured> log = byMode.getOrDefault(Mode.LOG_PROCESS, List.of());
          List<Measured> staged = byMode.getOrDefault(Mode.STAGE_OUT, List.of());
          results.add(seconds(name + ", log/process, in puts", log, false));
          results.add(seconds(name + ", log/process, flushing", log, true));
          results.add(seconds(name + ", stage-out, in puts", staged, false));
          results.add(seconds(name + ", stage-out, copying", staged, true));
        });
    return results;
  }

  private static Samples rates(Map<String, Workload> workloads, String name, List<Measured> all) {
    Workload workload = workloads.get(name);
    if (workload == null) throw new IllegalStateException(name + " was not measured");
    long bytes = workload.pattern().totalBytes();
    return Samples.of(all, each -> Rate.mibPerSecond(bytes, each.totalNanos()));
  }

  private static Result seconds(String name, List<Measured> all, boolean flushing) {
    double second = TimeUnit.SECONDS.toNanos(1);
    return Result.of(
        name,
        "s",
        Better.LOWER,
        Samples.of(all, each -> (flushing ? each.flushNanos() : each.putNanos()) / second));
  }

  private static List<Comparison> comparisons(Map<String, Map<Mode, List<Measured>>> measured) {
    List<Comparison> all = new ArrayList<>();
    Ratios ratios = new Ratios(measured, all);
    ratios.log(Mode.DIRECT, "contiguous, 4 KiB", "> 1 for very small ones");
    ratios.log(Mode.DIRECT, "contiguous, 1 MiB", "about 1");
    ratios.log(Mode.DIRECT, "strided, 4 KiB", "4.2 (Cori), 3.8 (Theta)");
    ratios.log(Mode.DIRECT, "strided, 1 MiB", "> 1, by a large margin");
    ratios.log(Mode.DIRECT, "FLASH", "slightly below 1");
    ratios.log(Mode.DIRECT, "BTIO strong", "2.6 (Cori), 4.3 (Theta)");
    ratios.log(Mode.DIRECT, "BTIO weak", "1.37 (Cori), 1.16 (Theta)");
    ratios.log(Mode.STAGE_OUT, "contiguous, 1 MiB", "up to 1.7");
    ratios.log(Mode.STAGE_OUT, "strided, 4 KiB", "up to 4");
    ratios.log(Mode.STAGE_OUT, "FLASH", "about 2");
    ratios.log(Mode.STAGE_OUT, "BTIO strong", "up to 6.5");
    ratios.log(Mode.STAGE_OUT, "BTIO weak", "up to 3.9");
    ratios.log(Mode.ELEVATOR, "contiguous, 1 MiB", "0.59 (Elevator 1.7 x)");
    ratios.log(Mode.ELEVATOR, "strided, 4 KiB", "up to 1.5");
    ratios.log(Mode.ELEVATOR, "FLASH", "about 1");
    ratios.log(Mode.ELEVATOR, "BTIO strong", "about 1.7");
    ratios.log(Mode.ELEVATOR, "BTIO weak", "about 1.7");
    ratios.log(Mode.LOGFS, "contiguous, 1 MiB", "1.5 (Cori), 2.6 (Theta)");
    ratios.log(Mode.LOGFS, "strided, 4 KiB", "< 0.25 (LogFS > 4 x)");
    ratios.log(Mode.LOGFS, "FLASH", "3 (Cori), 2 (Theta)");
    ratios.log(Mode.LOGFS, "BTIO strong", "LogFS did not finish");
    ratios.log(Mode.LOGFS_COLLECTIVE, "BTIO strong", "about 1, as the authors believe");
    return all;
  }

  /** How much faster the log is than something else. */
  private record Ratios(
      Map<String, Map<Mode, List<Measured>>> measured, List<Comparison> comparisons) {
    void log(Mode by, String workload, String paper) {
      comparisons.add(
          new Comparison(
              workload + ": log by " + by.text(),
              paper,
              nanos(workload, by) / nanos(workload, Mode.LOG_PROCESS)));
    }

    private double nanos(String workload, Mode mode) {
      List<Measured> all = measured.getOrDefault(workload, Map.of()).getOrDefault(mode, List.of());
      return Samples.of(all, Measured::totalNanos).median();
    }
  }

  private static BarChart chart(
      Map<String, Workload> workloads, Map<String, Map<Mode, List<Measured>>> measured) {
    List<BarChart.Group> groups = new ArrayList<>();
    measured.forEach(
        (name, byMode) -> {
          List<BarChart.Bar> bars = new ArrayList<>();
          byMode.forEach(
              (mode, all) ->
                  bars.add(new BarChart.Bar(mode.text(), rates(workloads, name, all).median())));
          groups.add(new BarChart.Group(name, bars));
        });
    return new BarChart(
        "Parallel netCDF on the slow profile", "MiB/s until everything is in its file", groups);
  }
}
