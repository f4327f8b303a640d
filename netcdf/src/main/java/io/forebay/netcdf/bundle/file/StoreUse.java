// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.file;

import java.util.concurrent.TimeUnit;

/**
 * What one rank, or several, did to the store in a step, and how long it took.
 *
 * @param createNanos the longest time to create a file; 0 if none was created
 * @param bytes how many bytes were written
 * @param writeNanos the longest time that one rank spent in writes and in closing files
 * @param fastestBytesPerSecond of the rank that wrote the fastest; 0 if nothing was written
 */
public record StoreUse(long createNanos, long bytes, long writeNanos, long fastestBytesPerSecond) {
  private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Of one rank. */
  public static StoreUse of(long createNanos, long bytes, long writeNanos) {
    long rate = Math.round(bytes * SECOND_NANOS / Math.max(1, writeNanos));
    return new StoreUse(createNanos, bytes, writeNanos, rate);
  }

  /** Of both together, which wrote at the same time. */
  public StoreUse merge(StoreUse other) {
    return new StoreUse(
        Math.max(createNanos, other.createNanos),
        bytes + other.bytes,
        Math.max(writeNanos, other.writeNanos),
        Math.max(fastestBytesPerSecond, other.fastestBytesPerSecond));
  }
}
