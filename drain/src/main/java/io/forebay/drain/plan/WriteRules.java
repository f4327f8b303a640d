// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

/**
 * The rules of a backing store for the writers of one file (P26).
 *
 * @param stripeBytes writes and domains begin at multiples of this; 1 for no alignment
 * @param writeBytes the preferred length of a write
 * @param partBytesMin no write but a file's last may be shorter; 1 if any may
 * @param partBytesMax no write may be longer
 * @param partsMax no file may have more writes; counts only where holes are zeros
 * @param parallelWriters whether several seats may write one file at once
 * @param randomOffsets whether writes may begin anywhere; else a file is a sequence of equal parts
 *     and a last one: numbered with parallel writers, in order with one
 */
public record WriteRules(
    int stripeBytes,
    int writeBytes,
    int partBytesMin,
    int partBytesMax,
    int partsMax,
    boolean parallelWriters,
    boolean randomOffsets,
    Holes holes) {
  /** The default length of a write. */
  public static final int WRITE_BYTES_DEFAULT = 8 << 20;

  /**
   * Longer writes gain nothing and take memory; only a limit on the number of parts requires more.
   */
  public static final int WRITE_BYTES_MAX = 64 << 20;

  /** A write is put together in one buffer. */
  public static final int PART_BYTES_MAX = 1 << 30;

  public WriteRules {
    require(stripeBytes > 0 && stripeBytes <= partBytesMax, "stripe", stripeBytes);
    require(writeBytes > 0 && writeBytes <= WRITE_BYTES_MAX, "write", writeBytes);
    require(partBytesMin > 0 && partBytesMin <= partBytesMax, "smallest part", partBytesMin);
    require(partBytesMax <= PART_BYTES_MAX, "largest part", partBytesMax);
    if (partsMax <= 0) throw new IllegalArgumentException(partsMax + " parts at most");
    if (!randomOffsets && holes != Holes.ZEROS) {
      throw new IllegalArgumentException("holes cannot be left out of a row of parts");
    }
  }

  private static void require(boolean holds, String what, int bytes) {
    if (!holds) throw new IllegalArgumentException("a " + what + " of " + bytes + " bytes");
  }

  /** A file system: any seat writes at any offset; gaps are zeros. */
  public static WriteRules fileSystem(int stripeBytes) {
    return new WriteRules(
        stripeBytes,
        WRITE_BYTES_DEFAULT,
        1,
        PART_BYTES_MAX,
        Integer.MAX_VALUE,
        true,
        true,
        Holes.SPARSE);
  }

  /** Objects that are put together from numbered parts. */
  public static WriteRules numberedParts(int partBytesMin, int partsMax) {
    return new WriteRules(
        1, WRITE_BYTES_DEFAULT, partBytesMin, PART_BYTES_MAX, partsMax, true, false, Holes.ZEROS);
  }

  /** A file that one writer appends to. */
  public static WriteRules oneAppender() {
    return new WriteRules(
        1, WRITE_BYTES_DEFAULT, 1, PART_BYTES_MAX, Integer.MAX_VALUE, false, false, Holes.ZEROS);
  }

  /** Whether each write must be complete before the next one begins. */
  public boolean inOrder() {
    return !parallelWriters && !randomOffsets;
  }
}
