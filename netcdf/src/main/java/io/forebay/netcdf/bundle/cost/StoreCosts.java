// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.cost;

import io.forebay.netcdf.bundle.file.StoreUse;

/**
 * What files cost. The rates are those of a step, in which all groups write.
 *
 * @param writerBytesPerSecond the highest rate of a single writer
 * @param allBytesPerSecond of all writers together
 * @param createNanos how long it takes to create a file
 */
public record StoreCosts(
    double writerBytesPerSecond, double allBytesPerSecond, double createNanos) {
  static final double NANOS = 1e9;

  /** Before anything was written: files cost nothing, and so the same under every scheme. */
  static final StoreCosts UNKNOWN =
      new StoreCosts(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 0);

  /** As seen in a step that wrote all bytes. */
  public static StoreCosts of(StoreUse use) {
    if (use.bytes() == 0) return UNKNOWN;
    return new StoreCosts(
        Math.max(1, use.fastestBytesPerSecond()),
        use.bytes() * NANOS / Math.max(1, use.writeNanos()),
        use.createNanos());
  }

  /**
   * The time of writes.
   *
   * @param bytes of one writer
   * @param allBytes of all writers, which share what the store takes
   */
  double writeNanos(long bytes, long allBytes) {
    return Math.max(bytes / writerBytesPerSecond, allBytes / allBytesPerSecond) * NANOS;
  }
}
