// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

/**
 * The capabilities of a store; drain planning obeys them (P26).
 *
 * @param parallelWriters whether several processes may write one attempt at once
 * @param anyOffset whether writes may come in any order and at any offset; otherwise a file is a
 *     sequence of parts, one write each, which come in any order, or in sequence if {@code
 *     parallelWriters} is false
 * @param partBytesMin no write but a file's last may be shorter
 * @param partBytesMax no write may be longer
 * @param partsMax how many writes a file may take
 * @param holes whether unwritten ranges are zeros; otherwise zeros have to be written
 * @param nameAtCommit whether commit may give another name than the plan's
 * @param atomicRename whether a rename is atomic
 * @param symlinks whether it has symbolic links
 * @param attributes whether it keeps modes and owners
 * @param stripeBytes writes should begin and end at multiples of this
 */
public record Capabilities(
    boolean parallelWriters,
    boolean anyOffset,
    long partBytesMin,
    long partBytesMax,
    int partsMax,
    boolean holes,
    boolean nameAtCommit,
    boolean atomicRename,
    boolean symlinks,
    boolean attributes,
    long stripeBytes,
    Verification verification) {

  /** How it is verified that the store has the right bytes. */
  public enum Verification {
    /** By reading them again. */
    READ_BACK,
    /**
     * The store compares each write with a checksum that came with it, and refuses what differs.
     */
    ON_WRITE,
    /** Not at all: nothing is kept. */
    NONE
  }

  public Capabilities {
    if (partBytesMin < 1 || partBytesMax < partBytesMin) {
      throw new IllegalArgumentException("parts of " + partBytesMin + " to " + partBytesMax);
    }
    if (partsMax < 1) throw new IllegalArgumentException(partsMax + " parts");
    if (stripeBytes < 1) throw new IllegalArgumentException("stripes of " + stripeBytes);
  }

  /** The largest file that can be stored. */
  public long fileBytesMax() {
    return partsMax > Long.MAX_VALUE / partBytesMax ? Long.MAX_VALUE : partsMax * partBytesMax;
  }

  /**
   * The length of the parts of a file of that size: as short as the store prefers, and longer if
   * there would be too many.
   *
   * @throws IllegalArgumentException if the file is too large
   */
  public long partBytes(long fileBytes) {
    if (fileBytes > fileBytesMax()) {
      throw new IllegalArgumentException(fileBytes + " bytes; at most " + fileBytesMax());
    }
    long needed = Math.ceilDiv(fileBytes, (long) partsMax);
    long aligned = Math.ceilDiv(Math.max(needed, partBytesMin), stripeBytes) * stripeBytes;
    return Math.min(aligned, partBytesMax);
  }
}
