// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.crew;

import java.io.IOException;
import java.nio.file.Path;

/** Ranks are processes that {@code mpirun} has started, for all trials. */
public final class MpiCrew implements Crew {
  private final MpiProcesses ranks;

  private MpiCrew(MpiProcesses ranks) {
    this.ranks = ranks;
  }

  /**
   * Starts ranks.
   *
   * @param directory where their temporary files go
   */
  public static MpiCrew start(MpiLauncher launcher, int ranks, int ranksPerNode, Path directory)
      throws IOException {
    return new MpiCrew(
        MpiProcesses.start(launcher, ranks, ranksPerNode, directory, MpiRankChild.class));
  }

  @Override
  public Measured measure(Trial trial) throws IOException {
    return Measured.parse(ranks.run(trial.toLine()));
  }

  @Override
  public void close() throws IOException {
    ranks.close();
  }
}
