// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The shared state of the threads of one parallel program: the ranks that have ended, and the first
 * failure. One lock guards all of it, and every team waits under it too, so that a failure wakes
 * all threads.
 */
final class ThreadJob {
  /** The failure is not a rank's own. */
  static final int NO_RANK = -1;

  private final boolean[] ended;
  private @Nullable Throwable failure;
  private int failedRank = NO_RANK;

  ThreadJob(int size) {
    ended = new boolean[size];
  }

  static int[] allRanks(int size) {
    int[] ranks = new int[size];
    for (int rank = 0; rank < size; rank++) ranks[rank] = rank;
    return ranks;
  }

  Team team(int[] nodes, int[] worldRanks) {
    return new Team(this, nodes, worldRanks);
  }

  void runRank(int rank, Group world, RankProgram program) {
    try {
      program.run(world);
    } catch (RankFailedException e) {
      // Another rank's failure, which is noted already.
      fail(rank, e);
    } catch (IOException | RuntimeException | Error e) {
      fail(rank, e);
    } finally {
      end(rank);
    }
  }

  synchronized void fail(int rank, Throwable reason) {
    if (failure == null) {
      failure = reason;
      failedRank = rank;
    }
    notifyAll();
  }

  private synchronized void end(int rank) {
    ended[rank] = true;
    notifyAll();
  }

  /** Throws if the program has failed. Called with this job's lock. */
  void check() {
    Throwable reason = failure;
    if (reason != null) throw new RankFailedException(failedRank, reason.toString(), reason);
  }

  /**
   * Throws if a rank that is waited for will never come. Called with this job's lock.
   *
   * @param waited ranks of the whole program
   */
  void checkComing(List<Integer> waited, String operation) {
    List<Integer> gone = new ArrayList<>();
    for (int rank : waited) {
      if (ended[rank]) gone.add(rank);
    }
    if (!gone.isEmpty()) {
      throw new IllegalStateException(
          operation + " waits for ranks " + gone + ", whose program has ended");
    }
  }

  /** Throws if all ranks that are waited for have ended. Called with this job's lock. */
  void checkAnyComing(List<Integer> waited, String operation) {
    for (int rank : waited) {
      if (!ended[rank]) return;
    }
    checkComing(waited, operation);
  }

  /**
   * Waits until something is so. Called with this job's lock.
   *
   * @param check throws if it will never be
   */
  void await(BooleanSupplier done, Runnable check) {
    try {
      while (!done.getAsBoolean()) {
        check();
        check.run();
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for other ranks", e);
    }
  }

  /** Throws the first failure as it was, in the thread that started the program. */
  synchronized void throwFailure() throws IOException {
    switch (failure) {
      case null -> {}
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException("the program was interrupted", failure);
    }
  }
}
