// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Growing pauses between looks at something, for a bounded time. One thread. */
final class Pause {
  private static final long FIRST_MILLIS = 20;
  private static final long MILLIS_MAX = 500;

  private final long endNanos;
  private long millis = FIRST_MILLIS;

  Pause(Duration atMost) {
    this.endNanos = System.nanoTime() + atMost.toNanos();
  }

  /** Waits; false without waiting if the time is over. */
  boolean next() throws IOException {
    long leftNanos = endNanos - System.nanoTime();
    if (leftNanos <= 0) return false;
    try {
      TimeUnit.NANOSECONDS.sleep(Math.min(leftNanos, TimeUnit.MILLISECONDS.toNanos(millis)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting", e);
    }
    millis = Math.min(MILLIS_MAX, 2 * millis);
    return true;
  }
}
