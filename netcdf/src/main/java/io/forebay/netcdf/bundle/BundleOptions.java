// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import io.forebay.base.ByteSize;
import io.forebay.netcdf.Hints;
import io.forebay.netcdf.bundle.partition.Scheme;
import java.util.Optional;

/**
 * How bundles are written; the same on all ranks.
 *
 * @param scheme how ranks are divided; empty to take the one that is expected to be the fastest,
 *     and to learn from the times of each step
 * @param memoryBytes how much memory a rank may use for the bytes of a step
 * @param aggregators how many ranks of a group write its file; 0 to decide by the bundle's size
 * @param merging whether small bundles share a group where there are more bundles than ranks
 * @param netcdf4 how netCDF-4 files without compression are written
 * @param hints settings of the file, such as {@code burst_buffer=enable} for the logging driver
 */
public record BundleOptions(
    Optional<Scheme> scheme,
    long memoryBytes,
    int aggregators,
    boolean merging,
    Netcdf4Writes netcdf4,
    Hints hints) {
  /** Ways to write a netCDF-4 file that is not compressed. */
  public enum Netcdf4Writes {
    /** The root alone writes, through the C library. */
    SERIAL,
    /** The root defines the file through the C library; then all aggregators write its bytes. */
    PARALLEL
  }

  public static final long MEMORY_BYTES_MIN = 1 << 20;
  private static final long MEMORY_BYTES = 64 << 20;

  public BundleOptions {
    if (memoryBytes < MEMORY_BYTES_MIN) {
      throw new IllegalArgumentException(
          "memory of %s for bundles; %s is the least"
              .formatted(ByteSize.format(memoryBytes), ByteSize.format(MEMORY_BYTES_MIN)));
    }
    if (aggregators < 0) throw new IllegalArgumentException(aggregators + " aggregators");
  }

  public static BundleOptions defaults() {
    return new BundleOptions(
        Optional.empty(), MEMORY_BYTES, 0, true, Netcdf4Writes.PARALLEL, Hints.none());
  }

  public BundleOptions withScheme(Scheme chosen) {
    return new BundleOptions(
        Optional.of(chosen), memoryBytes, aggregators, merging, netcdf4, hints);
  }

  public BundleOptions withMemory(long bytes) {
    return new BundleOptions(scheme, bytes, aggregators, merging, netcdf4, hints);
  }

  public BundleOptions withAggregators(int count) {
    return new BundleOptions(scheme, memoryBytes, count, merging, netcdf4, hints);
  }

  public BundleOptions withMerging(boolean allowed) {
    return new BundleOptions(scheme, memoryBytes, aggregators, allowed, netcdf4, hints);
  }

  public BundleOptions withNetcdf4(Netcdf4Writes way) {
    return new BundleOptions(scheme, memoryBytes, aggregators, merging, way, hints);
  }

  public BundleOptions withHints(Hints settings) {
    return new BundleOptions(scheme, memoryBytes, aggregators, merging, netcdf4, settings);
  }
}
