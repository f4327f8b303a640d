// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import io.forebay.bench.Rounds;
import io.forebay.bench.geos5.output.Way;
import io.forebay.netcdf.bundle.definition.BundleFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Measures every way in turn, by one crew. One thread. */
final class CaseRun {
  /** Files of this many steps are compared. */
  private static final int CHECKED_STEPS = 2;

  private final Geos5Ground ground;
  private final Geos5Crew crew;
  private final int ranks;
  private final Geos5Workload workload;
  private final long memoryBytes;

  CaseRun(Geos5Ground ground, Geos5Crew crew, int ranks, Geos5Workload workload, long memoryBytes) {
    this.ground = ground;
    this.crew = crew;
    this.ranks = ranks;
    this.workload = workload;
    this.memoryBytes = memoryBytes;
  }

  /**
   * Compares the files of all ways, and then measures.
   *
   * @param ways GEOS5-NetCDF is among them
   */
  Geos5Case measure(Geos5Store store, Set<Way> ways, Geos5Scale scale, List<String> notes)
      throws IOException, InterruptedException {
    List<Way> possible =
        ways.stream().filter(way -> way != Way.GEOS5_PNETCDF_C || store.isPlain()).toList();
    check(store, possible, notes);
    List<Rounds.Trial<TrialTimes>> trials = new ArrayList<>();
    for (Way way : possible) {
      Geos5Trial trial = trial(way, store, workload);
      trials.add(() -> measured(trial));
    }
    List<List<TrialTimes>> all = Rounds.run(scale.rounds(), scale.warmUps(), trials);
    Map<Way, List<TrialTimes>> measured = new LinkedHashMap<>();
    for (int i = 0; i < possible.size(); i++) measured.put(possible.get(i), all.get(i));
    return new Geos5Case(ranks, store, workload.totalBytes(), measured);
  }

  private Geos5Trial trial(Way way, Geos5Store store, Geos5Workload content) {
    return new Geos5Trial(way, content, store, ground.placeOf(store), memoryBytes);
  }

  private TrialTimes measured(Geos5Trial trial) throws IOException, InterruptedException {
    ground.settle(trial);
    TrialTimes times = ground.measure(crew, ranks, trial);
    ground.clear(ranks, trial);
    return times;
  }

  /** Every way writes the same files, or the benchmark fails. */
  private void check(Geos5Store store, List<Way> ways, List<String> notes)
      throws IOException, InterruptedException {
    Geos5Workload some = workload.withSteps(Math.min(CHECKED_STEPS, workload.steps()));
    ContentCheck first = null;
    for (Way way : ways) {
      Geos5Trial trial = trial(way, store, some);
      ground.measure(crew, ranks, trial);
      if (first == null) {
        first = ground.keep(ranks, trial);
      } else if (way == Way.GEOS5_PNETCDF_C) {
        String same = first.compare(trial.place());
        if (!notes.contains(same)) notes.add(same);
      } else if (workload.format() != BundleFormat.NETCDF4) {
        first.requireSame(way.word(), trial.place());
      }
      ground.clear(ranks, trial);
    }
    if (first != null) first.delete();
  }
}
