// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.netcdf.crew.MpiLauncher;
import io.forebay.bench.netcdf.crew.MpiProcesses;
import io.forebay.parallel.ThreadRanks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

/** Runs trials with ranks of one kind and number. One thread. */
interface Geos5Crew extends AutoCloseable {
  /** Runs one trial. Its files stay. */
  TrialTimes measure(Geos5Trial trial) throws IOException;

  @Override
  default void close() throws IOException {}

  /**
   * Starts ranks.
   *
   * @param directory where temporary files of processes go
   */
  static Geos5Crew start(Geos5Options options, int ranks, Path directory)
      throws IOException, BenchmarkImpossible {
    return switch (options.ranks()) {
      case THREADS -> trial -> asThreads(trial, ranks, options.ranksPerNode());
      case MPI ->
          new Processes(
              MpiProcesses.start(
                  MpiLauncher.find(),
                  ranks,
                  options.ranksPerNode(),
                  directory,
                  Geos5RankChild.class));
    };
  }

  private static TrialTimes asThreads(Geos5Trial trial, int ranks, int ranksPerNode)
      throws IOException {
    AtomicReference<TrialTimes> result = new AtomicReference<>();
    ThreadRanks.run(
        ranks,
        ranksPerNode,
        group -> {
          TrialTimes times = TrialRun.run(group, trial);
          if (group.rank() == 0) result.set(times);
        });
    TrialTimes times = result.get();
    if (times == null) throw new IllegalStateException("no rank measured anything");
    return times;
  }

  /** Ranks that {@code mpirun} has started. */
  record Processes(MpiProcesses ranks) implements Geos5Crew {
    @Override
    public TrialTimes measure(Geos5Trial trial) throws IOException {
      return TrialTimes.parse(ranks.run(trial.toLine()));
    }

    @Override
    public void close() throws IOException {
      ranks.close();
    }
  }
}
