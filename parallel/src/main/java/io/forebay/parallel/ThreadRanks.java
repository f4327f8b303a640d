// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a parallel program as threads of this process: for tests, for small machines, and for
 * programs that want to be parallel without a launcher. Any thread may call it; it returns when all
 * ranks have ended.
 */
public final class ThreadRanks {
  /** More threads than this are a mistake. */
  public static final int SIZE_MAX = 4096;

  private ThreadRanks() {}

  /** Runs all ranks on one node. */
  public static void run(int size, RankProgram program) throws IOException {
    run(size, size, program);
  }

  /**
   * Runs a program.
   *
   * @param ranksPerNode how many consecutive ranks are treated as one node
   * @throws IOException the exception of the first rank that failed; unchecked exceptions likewise
   */
  public static void run(int size, int ranksPerNode, RankProgram program) throws IOException {
    if (size <= 0 || size > SIZE_MAX) throw new IllegalArgumentException(size + " ranks");
    ThreadJob job = new ThreadJob(size);
    Team world = job.team(Nodes.ofEqualSize(size, ranksPerNode), ThreadJob.allRanks(size));
    List<Thread> threads = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      int number = rank;
      threads.add(
          Thread.ofPlatform()
              .name("rank-" + number)
              .start(() -> job.runRank(number, new TeamGroup(world, number), program)));
    }
    join(threads, job);
    job.throwFailure();
  }

  private static void join(List<Thread> threads, ThreadJob job) {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          // The ranks end as if one of them had failed; only then may their memory be freed.
          interrupted = true;
          job.fail(ThreadJob.NO_RANK, e);
        }
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
  }
}
