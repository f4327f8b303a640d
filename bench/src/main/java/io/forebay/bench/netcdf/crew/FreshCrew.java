// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.crew;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Ranks are processes that {@code mpirun} starts for one trial: as in a program that writes once,
 * nothing is loaded or compiled when it begins. Their start is not measured.
 */
public final class FreshCrew implements Crew {
  private final MpiLauncher launcher;
  private final int ranks;
  private final int ranksPerNode;
  private final Path directory;

  public FreshCrew(MpiLauncher launcher, int ranks, int ranksPerNode, Path directory) {
    this.launcher = launcher;
    this.ranks = ranks;
    this.ranksPerNode = ranksPerNode;
    this.directory = directory;
  }

  @Override
  public Measured measure(Trial trial) throws IOException {
    try (MpiCrew crew = MpiCrew.start(launcher, ranks, ranksPerNode, directory)) {
      return crew.measure(trial);
    }
  }

  @Override
  public void close() {}
}
