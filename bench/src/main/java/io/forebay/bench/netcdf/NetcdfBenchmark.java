// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf;

import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Result;
import io.forebay.bench.Rounds;
import io.forebay.bench.Scratch;
import io.forebay.bench.netcdf.crew.Crew;
import io.forebay.bench.netcdf.crew.FreshCrew;
import io.forebay.bench.netcdf.crew.Measured;
import io.forebay.bench.netcdf.crew.MpiCrew;
import io.forebay.bench.netcdf.crew.MpiLauncher;
import io.forebay.bench.netcdf.crew.Store;
import io.forebay.bench.netcdf.crew.Workload;
import io.forebay.bench.netcdf.mode.Mode;
import io.forebay.bench.process.ServedCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One of the patterns, written in every mode to every store: the rate, the components of the time,
 * and the writes at the destination.
 */
public final class NetcdfBenchmark implements Benchmark {
  private static final long SPARE_BYTES = 256L << 20;

  private final Workload.Kind kind;
  private final NetcdfOptions chosen;

  public NetcdfBenchmark(Workload.Kind kind, NetcdfOptions chosen) {
    this.kind = kind;
    this.chosen = chosen;
  }

  @Override
  public String name() {
    return "netcdf " + kind.word();
  }

  @Override
  public Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    return run(options.quick() ? NetcdfScale.quick() : NetcdfScale.full(), options, progress);
  }

  Outcome run(NetcdfScale scale, Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    Set<LogPlace> logs = logs(options.quick());
    List<String> notes = new ArrayList<>();
    List<Result> results = new ArrayList<>();
    try {
      for (Figures.Case each : measure(scale, logs, options, progress, notes, results)) {
        results.addAll(Figures.results(each));
      }
    } catch (IllegalArgumentException impossible) {
      throw new BenchmarkImpossible(String.valueOf(impossible.getMessage()));
    }
    return new Outcome(results, notes);
  }

  private Set<LogPlace> logs(boolean quick) {
    if (!chosen.logs().isEmpty()) return chosen.logs();
    return quick ? Set.of(LogPlace.LOCAL) : EnumSet.allOf(LogPlace.class);
  }

  private List<Figures.Case> measure(
      NetcdfScale scale,
      Set<LogPlace> logs,
      Options options,
      Progress progress,
      List<String> notes,
      List<Result> results)
      throws IOException, InterruptedException, BenchmarkImpossible {
    int ranks = chosen.ranksFor(kind);
    List<Workload> workloads = scale.workloads(kind, ranks);
    long bytes = 0;
    for (Workload each : workloads) bytes = Math.max(bytes, each.pattern().totalBytes());
    long memoryBytes = 4 * bytes + SPARE_BYTES;
    try (Scratch scratch = new Scratch(options.directory(), memoryBytes, memoryBytes);
        NetcdfGround ground =
            NetcdfGround.open(
                scratch,
                "bench",
                crew(scratch, ranks),
                cluster(scratch, logs, bytes),
                chosen.device())) {
      notes.addAll(scratch.notes());
      notes.add(describe(ranks));
      List<Figures.Case> cases = new ArrayList<>();
      for (Store store : stores()) {
        for (Workload workload : workloads) {
          progress.measuring(describe(workload, store));
          cases.addAll(
              measure(ground, scale, workload, workload.equals(workloads.getFirst()), store, logs));
        }
      }
      notes.addAll(Verdicts.of(kind, cases));
      if (chosen.pnetcdf() && stores().contains(Store.FAST)) {
        progress.measuring("PnetCDF");
        new PnetcdfPeer(ground, chosen, scratch).measure(workloads, scale.rounds(), results, notes);
      }
      return cases;
    }
  }

  private Crew crew(Scratch scratch, int ranks) throws IOException, BenchmarkImpossible {
    if (chosen.kind() == NetcdfOptions.RankKind.THREADS) return Crew.ofThreads();
    MpiLauncher launcher = MpiLauncher.find();
    Path directory = scratch.onDevice("ranks");
    return chosen.kind() == NetcdfOptions.RankKind.FRESH
        ? new FreshCrew(launcher, ranks, chosen.ranksPerNode(), directory)
        : MpiCrew.start(launcher, ranks, chosen.ranksPerNode(), directory);
  }

  private static @Nullable ServedCluster cluster(Scratch scratch, Set<LogPlace> logs, long bytes)
      throws IOException {
    if (logs.equals(Set.of(LogPlace.LOCAL))) return null;
    return ServedCluster.start(NetcdfGround.shape(bytes), scratch.onDevice("ring"));
  }

  private Set<Store> stores() {
    return EnumSet.copyOf(chosen.stores());
  }

  /**
   * All modes with local logs in turn; logs on instances only in the modes of this library's log.
   */
  private List<Figures.Case> measure(
      NetcdfGround ground,
      NetcdfScale scale,
      Workload workload,
      boolean smallest,
      Store store,
      Set<LogPlace> places)
      throws IOException, InterruptedException {
    record Way(Mode mode, LogPlace place) {}
    List<Way> ways = new ArrayList<>();
    for (LogPlace place : EnumSet.copyOf(places)) {
      for (Mode mode : Mode.values()) {
        boolean mapping = mode == Mode.LOG_PROCESS || mode == Mode.LOG_NODE;
        boolean wanted = chosen.modes().contains(mode);
        if (wanted && (place == LogPlace.LOCAL || mapping)) ways.add(new Way(mode, place));
      }
    }
    List<Rounds.Trial<Measured>> trials = new ArrayList<>();
    for (Way way : ways) {
      trials.add(() -> ground.measure(workload, way.mode, store, way.place, chosen));
    }
    List<List<Measured>> measured = Rounds.run(scale.rounds(), scale.warmUps(), trials);
    List<Figures.Case> cases = new ArrayList<>();
    for (LogPlace place : EnumSet.copyOf(places)) {
      Map<Mode, List<Measured>> byMode = new LinkedHashMap<>();
      for (int i = 0; i < ways.size(); i++) {
        if (ways.get(i).place == place) byMode.put(ways.get(i).mode, measured.get(i));
      }
      cases.add(new Figures.Case(workload, store, smallest, place.text(), byMode));
    }
    return cases;
  }

  private String describe(int ranks) {
    String how =
        switch (chosen.kind()) {
          case THREADS -> "threads";
          case MPI -> "processes of MPI";
          case FRESH -> "processes of MPI, new ones for each trial";
        };
    List<String> stores =
        stores().stream().map(each -> each.word() + " is " + each.label()).toList();
    return "%d ranks as %s; %s".formatted(ranks, how, String.join("; ", stores));
  }

  private String describe(Workload workload, Store store) {
    String size = kind.isIor() ? " with transfers of " + workload.size() + " bytes" : "";
    return kind.word() + size + " to " + store.label();
  }
}
