// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.retry;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How long to wait before the next try: twice as long after each failure, up to a bound. A jittered
 * backoff is never the same for two clients, so that they do not all come back at once. An exact
 * one has no state.
 */
public final class Backoff {
  private final long firstNanos;
  private final long nanosMax;
  private final @Nullable RandomGenerator random;

  private Backoff(long firstNanos, long nanosMax, @Nullable RandomGenerator random) {
    if (firstNanos <= 0 || nanosMax < firstNanos) {
      throw new IllegalArgumentException("a backoff of " + firstNanos + " to " + nanosMax + " ns");
    }
    this.firstNanos = firstNanos;
    this.nanosMax = nanosMax;
    this.random = random;
  }

  /** Waits between half and all of the bound that each failure doubles. */
  public static Backoff jittered(long firstNanos, long nanosMax, RandomGenerator random) {
    return new Backoff(firstNanos, nanosMax, random);
  }

  /** Waits exactly as long as the bound that each failure doubles. */
  public static Backoff exact(long firstNanos, long nanosMax) {
    return new Backoff(firstNanos, nanosMax, null);
  }

  /** The wait after this number of failures in a row; after none as long as after one. */
  public long nanos(int failures) {
    long whole = wholeNanos(Math.max(0, failures - 1));
    return random == null ? whole : whole / 2 + random.nextLong(whole / 2 + 1);
  }

  private long wholeNanos(int doublings) {
    // One that would overflow is beyond the bound as well.
    if (doublings >= Long.numberOfLeadingZeros(firstNanos) - 1) return nanosMax;
    return Math.min(nanosMax, firstNanos << doublings);
  }
}
