// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.crew;

import io.forebay.bench.process.Child;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Ranks that {@code mpirun} has started: processes that run trials, one line each. One thread. */
public final class MpiProcesses implements AutoCloseable {
  private final Child ranks;

  private MpiProcesses(Child ranks) {
    this.ranks = ranks;
  }

  /**
   * Starts ranks.
   *
   * @param ranksPerNode how many are treated as one node; 0 for the real nodes
   * @param directory where their temporary files go
   * @param main its main method calls {@link RankDesk#serve}
   */
  public static MpiProcesses start(
      MpiLauncher launcher, int ranks, int ranksPerNode, Path directory, Class<?> main)
      throws IOException {
    List<String> arguments = List.of(Integer.toString(ranksPerNode));
    return new MpiProcesses(Child.startUnder(launcher.command(ranks), main, directory, arguments));
  }

  /** Runs one trial; returns what the first rank says about it. */
  public String run(String trial) throws IOException {
    ranks.tell(trial);
    return ranks.hear();
  }

  @Override
  public void close() throws IOException {
    ranks.close();
  }
}
