// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

import java.util.random.RandomGenerator;

/**
 * The pause before a retry: it doubles each time up to a bound, with random jitter between half and
 * all of it, so that requests that failed together do not retry together. Owns no clock; called by
 * its owner only.
 */
public final class RetryPace {
  private final long firstNanos;
  private final long maxNanos;
  private final RandomGenerator random;
  private int failures;

  /**
   * Nothing has failed yet.
   *
   * @param firstNanos the longest pause after the first failure
   * @param maxNanos no pause is longer
   */
  public RetryPace(long firstNanos, long maxNanos, RandomGenerator random) {
    if (firstNanos <= 0 || maxNanos < firstNanos) {
      throw new IllegalArgumentException("pauses of " + firstNanos + " to " + maxNanos);
    }
    this.firstNanos = firstNanos;
    this.maxNanos = maxNanos;
    this.random = random;
  }

  /** It failed: how long to wait now. What only people can remedy is tried at the slowest pace. */
  public long failed(BackingFailure.Advice advice) {
    failures++;
    long pauseNanos = advice == BackingFailure.Advice.TELL_AND_WAIT ? maxNanos : doubledNanos();
    return pauseNanos - random.nextLong((pauseNanos / 2) + 1);
  }

  /** It worked: the next failure is a first one again. */
  public void worked() {
    failures = 0;
  }

  /** How often it has failed in a row. */
  public int failures() {
    return failures;
  }

  private long doubledNanos() {
    int doublings = Math.min(failures - 1, Long.SIZE - 2);
    // Compared before shifting, which could overflow.
    return firstNanos > (maxNanos >> doublings) ? maxNanos : firstNanos << doublings;
  }
}
