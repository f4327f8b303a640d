// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage.side;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/**
 * Holds up a server's threads so that they move no more bytes per second than allowed. Any thread.
 */
public final class FilePace {
  /** The time for which unused bytes are saved up. */
  private static final long SAVED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final double NANOS_PER_SECOND = 1e9;

  private final long bytesPerSecond;
  private long paidNanos = System.nanoTime() - SAVED_NANOS;

  /**
   * A pace.
   *
   * @param bytesPerSecond 0 for no limit
   */
  public FilePace(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Waits until these bytes may have been moved. */
  void moved(int bytes) throws InterruptedIOException {
    if (bytesPerSecond == 0 || bytes <= 0) return;
    try {
      TimeUnit.NANOSECONDS.sleep(pay(bytes));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while staging");
    }
  }

  /** How long to wait for bytes that have been moved. */
  private synchronized long pay(int bytes) {
    long now = System.nanoTime();
    if (now - SAVED_NANOS - paidNanos > 0) paidNanos = now - SAVED_NANOS;
    paidNanos += (long) (bytes * NANOS_PER_SECOND / bytesPerSecond);
    return Math.max(0, paidNanos - now);
  }
}
