// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.crew;

import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.process.Child;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Ranks are processes that {@code mpirun} has started, for all trials. */
public final class MpiCrew implements Crew {
  private final Child ranks;

  private MpiCrew(Child ranks) {
    this.ranks = ranks;
  }

  /**
   * Starts ranks.
   *
   * @param directory where their temporary files go
   */
  public static MpiCrew start(MpiLauncher launcher, int ranks, int ranksPerNode, Path directory)
      throws IOException, BenchmarkImpossible {
    List<String> command = new ArrayList<>(launcher.command(ranks));
    return new MpiCrew(
        Child.startUnder(
            command, MpiRankChild.class, directory, List.of(Integer.toString(ranksPerNode))));
  }

  @Override
  public Measured measure(Trial trial) throws IOException {
    ranks.tell(trial.toLine());
    return Measured.parse(ranks.hear());
  }

  @Override
  public void close() throws IOException {
    ranks.close();
  }
}
