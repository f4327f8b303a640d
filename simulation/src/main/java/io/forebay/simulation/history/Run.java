// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

/**
 * Bytes that somebody read, all of one value.
 *
 * @param value the value's number, {@link #ZEROS}, or {@link #FOREIGN}
 */
public record Run(long offset, long lengthBytes, long value) {
  /** What nobody has written reads as this. */
  public static final long ZEROS = 0;

  /** Bytes that nobody can have written. */
  public static final long FOREIGN = -1;

  public Run {
    if (offset < 0 || lengthBytes < 1 || value < FOREIGN) {
      throw new IllegalArgumentException(
          "a run of value " + value + ": " + lengthBytes + " bytes at " + offset);
    }
  }

  /** The offset of the first byte behind it. */
  public long endOffset() {
    return offset + lengthBytes;
  }
}
