// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

/**
 * Bytes of one value that a client read.
 *
 * @param value the value's number, {@link #ZEROS}, or {@link #FOREIGN}
 */
public record Run(long offset, long lengthBytes, long value) {
  /** Unwritten bytes read as this. */
  public static final long ZEROS = 0;

  /** Bytes that no client can have written. */
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
