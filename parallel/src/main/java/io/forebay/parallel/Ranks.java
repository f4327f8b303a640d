// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

import java.io.IOException;

/** Runs a parallel program as MPI ranks or threads, depending on how this process was started. */
public final class Ranks {
  private Ranks() {}

  /** A group of one rank, the caller; it needs no program. */
  public static Group alone() {
    Team team = new ThreadJob(1).team(new int[] {0}, new int[] {0});
    return new TeamGroup(team, 0);
  }

  /**
   * As a rank of MPI if {@code mpirun} started this process, else as threads.
   *
   * @param threads how many ranks there are without a launcher
   * @param ranksPerNode how many consecutive ranks are treated as one node; 0 for the real nodes
   */
  public static void run(int threads, int ranksPerNode, RankProgram program) throws IOException {
    if (MpiRanks.isLaunched()) MpiRanks.run(ranksPerNode, program);
    else ThreadRanks.run(threads, ranksPerNode == 0 ? threads : ranksPerNode, program);
  }
}
