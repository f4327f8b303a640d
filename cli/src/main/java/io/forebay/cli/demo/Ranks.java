// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.demo;

import io.forebay.base.MonotonicClock;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The processes of an application, here threads that work in parallel, and how long each has waited
 * for its storage. Any thread.
 */
final class Ranks {
  /** What each of them does. */
  interface Work {
    void run(int rank) throws IOException;
  }

  /** What a rank waits for. */
  interface Waiting<T> {
    T run() throws IOException;
  }

  private final MonotonicClock clock = MonotonicClock.system();
  private final CountDownLatch working = new CountDownLatch(DemoPlan.RANKS);
  private final AtomicLongArray waitedNanos = new AtomicLongArray(DemoPlan.RANKS);
  private final AtomicLong doneBytes = new AtomicLong();
  private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();

  /** Called once. The program does not wait for these threads at its end. */
  void start(Work work) {
    for (int i = 0; i < DemoPlan.RANKS; i++) {
      int rank = i;
      Thread.ofPlatform().daemon().name("rank-" + rank).start(() -> run(work, rank));
    }
  }

  private void run(Work work, int rank) {
    try {
      work.run(rank);
      working.countDown();
    } catch (IOException | RuntimeException e) {
      failed(e);
    }
  }

  /** Does something for a rank and counts how long that takes. */
  <T> T waiting(int rank, Waiting<T> what) throws IOException {
    long startNanos = clock.nanos();
    try {
      return what.run();
    } catch (IOException e) {
      failed(e);
      throw e;
    } finally {
      waitedNanos.addAndGet(rank, clock.nanos() - startNanos);
    }
  }

  /** Reports a failure at once: the rank may take long to close its files. */
  void failed(Throwable why) {
    failure.compareAndSet(null, why instanceof IOException io ? io : new IOException(why));
  }

  /** Counts bytes that have reached the required safety. */
  void done(int bytes) {
    doneBytes.addAndGet(bytes);
  }

  /** Of all ranks, up to now. */
  long doneBytes() {
    return doneBytes.get();
  }

  /** The wait of the rank that waited longest: the others wait for it. */
  long waitedNanos() {
    long longest = 0;
    for (int rank = 0; rank < DemoPlan.RANKS; rank++) {
      longest = Math.max(longest, waitedNanos.get(rank));
    }
    return longest;
  }

  /** Throws the reason if a rank failed. */
  void requireNoFailure() throws IOException {
    IOException known = failure.get();
    if (known != null) throw known;
  }

  /** Whether all have done their work. */
  boolean finished() throws IOException {
    requireNoFailure();
    return working.getCount() == 0;
  }
}
