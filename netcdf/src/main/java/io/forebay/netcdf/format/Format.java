// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.format;

/** The versions of the classic format. */
public enum Format {
  /** The first: offsets below 2 GiB. */
  CDF1(1, Integer.BYTES, Integer.BYTES, Integer.MAX_VALUE, Integer.MAX_VALUE - 3L),
  /** 64-bit offsets; all variables but the last, and each record, below 4 GiB. */
  CDF2(2, Integer.BYTES, Long.BYTES, Long.MAX_VALUE, 0xffff_fffcL),
  /** 64-bit data: everything is wide, and there are unsigned types. */
  CDF5(5, Long.BYTES, Long.BYTES, Long.MAX_VALUE, Long.MAX_VALUE - 3);

  private final int version;
  private final int countBytes;
  private final int offsetBytes;
  private final long offsetMax;
  private final long variableBytesMax;

  Format(int version, int countBytes, int offsetBytes, long offsetMax, long variableBytesMax) {
    this.version = version;
    this.countBytes = countBytes;
    this.offsetBytes = offsetBytes;
    this.offsetMax = offsetMax;
    this.variableBytesMax = variableBytesMax;
  }

  /** The last byte of the file's magic number. */
  public int version() {
    return version;
  }

  /** How wide lengths and counts are in the header. */
  int countBytes() {
    return countBytes;
  }

  /** How wide the offsets of variables are in the header. */
  int offsetBytes() {
    return offsetBytes;
  }

  /** The last offset at which a variable may begin. */
  long offsetMax() {
    return offsetMax;
  }

  /** How long a variable, or a record's part of it, may be unless it is the last. */
  public long variableBytesMax() {
    return variableBytesMax;
  }

  /** How many records there can be. */
  public long recordsMax() {
    // The highest value means that the number is unknown (streaming).
    return countBytes == Integer.BYTES ? 0xffff_fffeL : Long.MAX_VALUE;
  }

  /** The longest that a dimension may be. */
  public long dimensionMax() {
    return countBytes == Integer.BYTES ? Integer.MAX_VALUE - 3L : Long.MAX_VALUE - 3;
  }
}
