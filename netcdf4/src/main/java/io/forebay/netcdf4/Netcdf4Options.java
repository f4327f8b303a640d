// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import io.forebay.netcdf.CreateMode;

/**
 * How a file is created.
 *
 * @param mode what happens to a file of that name
 * @param deflateLevel 0 for plain storage, 1 (fastest) to 9 (smallest)
 * @param alignmentBytes variables of this size or more begin at a multiple of it; 1 for none
 */
public record Netcdf4Options(CreateMode mode, int deflateLevel, int alignmentBytes) {
  private static final int DEFLATE_LEVEL_MAX = 9;

  /** A page of memory, and the block of most file systems. */
  private static final int PAGE_BYTES = 4096;

  public Netcdf4Options {
    if (deflateLevel < 0 || deflateLevel > DEFLATE_LEVEL_MAX) {
      throw new IllegalArgumentException(
          "deflateLevel is " + deflateLevel + ", and 0 to " + DEFLATE_LEVEL_MAX + " are possible");
    }
    if (alignmentBytes < 1) {
      throw new IllegalArgumentException(
          "alignmentBytes is " + alignmentBytes + ", and 1 or more is possible");
    }
  }

  /** A new file, not deflated, aligned to pages. */
  public static Netcdf4Options standard() {
    return new Netcdf4Options(CreateMode.NEW, 0, PAGE_BYTES);
  }

  public Netcdf4Options withMode(CreateMode newMode) {
    return new Netcdf4Options(newMode, deflateLevel, alignmentBytes);
  }

  public Netcdf4Options withDeflateLevel(int newLevel) {
    return new Netcdf4Options(mode, newLevel, alignmentBytes);
  }

  public Netcdf4Options withAlignmentBytes(int newBytes) {
    return new Netcdf4Options(mode, deflateLevel, newBytes);
  }
}
