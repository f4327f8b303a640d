// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.latency;

/**
 * Counts durations in buckets whose upper bounds are powers of two of a microsecond. Adding is a
 * few instructions on a plain array. Called by one thread; {@link #now} makes a copy for others.
 */
public final class LatencyHistogram {
  /** The bound of the first bucket is 2^4 = 16 µs. */
  static final int FIRST_POWER = 4;

  /** That of the last bounded one is 2^25 µs, about 34 s. */
  static final int LAST_POWER = 25;

  /** The bounded buckets, and one for all that is longer. */
  public static final int BUCKETS = LAST_POWER - FIRST_POWER + 2;

  private static final long MICRO_NANOS = 1_000;

  private final long[] counts = new long[BUCKETS];
  private long totalNanos;

  /** The largest duration that a bounded bucket counts. */
  public static long boundNanos(int bucket) {
    if (bucket < 0 || bucket >= BUCKETS - 1) {
      throw new IllegalArgumentException("bucket " + bucket + " has no bound");
    }
    return MICRO_NANOS << (FIRST_POWER + bucket);
  }

  /** The bucket that counts a duration. */
  static int bucketOf(long nanos) {
    if (nanos <= boundNanos(0)) return 0;
    long micros = (nanos - 1) / MICRO_NANOS;
    int power = Long.SIZE - Long.numberOfLeadingZeros(micros);
    return Math.min(power - FIRST_POWER, BUCKETS - 1);
  }

  /** Counts one operation; a negative duration counts as none. */
  public void add(long nanos) {
    counts[bucketOf(nanos)]++;
    totalNanos += Math.max(0, nanos);
  }

  /** A copy. */
  public Latencies now() {
    return new Latencies(counts.clone(), totalNanos);
  }
}
