// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.pace;

import java.util.concurrent.TimeUnit;

/**
 * A limit of bytes per second, as a bucket that fills steadily. A single request may exceed the
 * bucket: it is paid for afterwards. The caller supplies the time, in nanoseconds of a monotonic
 * clock.
 */
public final class RateLimit {
  /** The rate that limits nothing. */
  public static final long UNLIMITED = 0;

  /** The time for which unused bytes are saved up. */
  private static final long SAVED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final long bytesPerSecond;
  private long paidNanos;

  /**
   * A full bucket.
   *
   * @param bytesPerSecond or {@link #UNLIMITED}
   */
  public RateLimit(long bytesPerSecond, long nowNanos) {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException("rate of " + bytesPerSecond + " bytes/s");
    }
    this.bytesPerSecond = bytesPerSecond;
    paidNanos = nowNanos - SAVED_NANOS;
  }

  /** How long to wait until something may be taken; 0 if it may be now. */
  public long waitNanos(long nowNanos) {
    if (bytesPerSecond == UNLIMITED) return 0;
    return Math.max(0, paidNanos - nowNanos);
  }

  /** Takes bytes, whether they may be taken now or not. */
  public void take(int bytes, long nowNanos) {
    if (bytesPerSecond == UNLIMITED) return;
    // Differences, since a monotonic clock may start anywhere.
    if (nowNanos - SAVED_NANOS - paidNanos > 0) paidNanos = nowNanos - SAVED_NANOS;
    paidNanos += bytes * SECOND_NANOS / bytesPerSecond;
  }
}
