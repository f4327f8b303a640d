// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.latency;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts durations in buckets whose upper bounds are powers of two of a microsecond. Adding is a
 * few instructions. One thread adds; any thread may copy by {@link #now}, and sees what was added a
 * moment ago.
 */
public final class LatencyHistogram {
  /** The bound of the first bucket is 2^4 = 16 µs. */
  static final int FIRST_POWER = 4;

  /** That of the last bounded one is 2^25 µs, about 34 s. */
  static final int LAST_POWER = 25;

  /** The bounded buckets, and one for all that is longer. */
  public static final int BUCKETS = LAST_POWER - FIRST_POWER + 2;

  private static final long MICRO_NANOS = 1_000;

  /** Opaque access: no fences, and each value is seen whole and soon. */
  private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

  /** The counts of the buckets, and behind them the sum of all durations. */
  private final long[] counts = new long[BUCKETS + 1];

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
    increase(bucketOf(nanos), 1);
    increase(BUCKETS, Math.max(0, nanos));
  }

  private void increase(int index, long by) {
    ELEMENT.setOpaque(counts, index, counts[index] + by);
  }

  /** A copy. */
  public Latencies now() {
    long[] copy = new long[BUCKETS];
    for (int i = 0; i < BUCKETS; i++) copy[i] = (long) ELEMENT.getOpaque(counts, i);
    return new Latencies(copy, (long) ELEMENT.getOpaque(counts, BUCKETS));
  }
}
