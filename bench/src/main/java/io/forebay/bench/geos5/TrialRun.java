// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import io.forebay.base.MonotonicClock;
import io.forebay.bench.geos5.output.BundlePattern;
import io.forebay.bench.geos5.output.OutputGround;
import io.forebay.bench.geos5.output.Outputs;
import io.forebay.bench.geos5.output.StepOutput;
import io.forebay.bench.geos5.output.StepTimes;
import io.forebay.bench.netcdf.mode.Destination;
import io.forebay.bench.netcdf.pattern.Elements;
import io.forebay.netcdf.NetcdfFiles;
import io.forebay.parallel.Group;
import io.forebay.parallel.Reduction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One rank's part of a trial, for all kinds of ranks. One rank's thread. */
final class TrialRun {
  private TrialRun() {}

  /** Writes all steps once; collective. Every rank gets the combined times. */
  static TrialTimes run(Group group, Geos5Trial trial) throws IOException {
    BundlePattern pattern = trial.workload().pattern(group.size());
    TrialTimes times;
    try (Arena arena = Arena.ofShared();
        Destination destination =
            trial.store() == Geos5Store.SLOW
                ? Destination.slow(Path.of(trial.place()))
                : Destination.plain()) {
      NetcdfFiles files = new NetcdfFiles(destination, MonotonicClock.system());
      Elements elements = new Elements(pattern, group.rank(), arena);
      times = write(group, trial, new OutputGround(group, pattern, elements, files, trial.place()));
    }
    // The rank that made the slow device has removed it; only then may the next trial make one.
    group.barrier();
    return times;
  }

  private static TrialTimes write(Group group, Geos5Trial trial, OutputGround ground)
      throws IOException {
    List<StepTimes> steps = new ArrayList<>();
    group.barrier();
    long start = System.nanoTime();
    StepOutput output = Outputs.open(trial.way(), ground, trial.memoryBytes());
    long setupNanos = System.nanoTime() - start;
    try (output) {
      for (int step = 0; step < trial.workload().steps(); step++) {
        // A step begins when all ranks have computed.
        group.barrier();
        start = System.nanoTime();
        output.write(step);
        long nanos = System.nanoTime() - start;
        steps.add(output.times(group.allReduce(nanos, Reduction.MAX)));
      }
      start = System.nanoTime();
    }
    setupNanos += System.nanoTime() - start;
    return new TrialTimes(group.allReduce(setupNanos, Reduction.MAX), steps);
  }
}
