// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.latency;

/** How many operations took how long, at one moment. */
public final class Latencies {
  public static final Latencies NONE = new Latencies(new long[LatencyHistogram.BUCKETS], 0);

  private final long[] counts;
  private final long totalNanos;

  Latencies(long[] counts, long totalNanos) {
    this.counts = counts;
    this.totalNanos = totalNanos;
  }

  /** The operations in that bucket alone. */
  public long count(int bucket) {
    return counts[bucket];
  }

  /** All operations. */
  public long count() {
    long all = 0;
    for (long count : counts) all += count;
    return all;
  }

  public long totalNanos() {
    return totalNanos;
  }

  /** The sum of these and others. */
  public Latencies with(Latencies others) {
    long[] sum = counts.clone();
    for (int i = 0; i < sum.length; i++) sum[i] += others.counts[i];
    return new Latencies(sum, totalNanos + others.totalNanos);
  }
}
