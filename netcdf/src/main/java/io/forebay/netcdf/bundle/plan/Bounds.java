// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.plan;

/**
 * How a rank's memory is divided. A member that gathers planes has one buffer for what arrives and
 * two for rounds; one that gathers shares has two for rounds. An aggregator has two windows, and
 * two more for what arrives where shares are gathered.
 *
 * @param heldBytes what a member receives in one round
 * @param windowBytes what an aggregator writes at a time
 * @param sendBytes messages of the shuffle that are packed and not yet sent
 */
public record Bounds(long heldBytes, long windowBytes, long sendBytes) {
  // Three parts for held bytes, two for windows and one for messages are two thirds of the memory;
  // with shares two, five and one are four fifths.
  private static final int HELD_PART = 8;
  private static final int WINDOW_PART = 12;

  /** The bounds that keep a rank within this much memory. */
  public static Bounds of(long memoryBytes) {
    long held = aligned(memoryBytes / HELD_PART);
    return new Bounds(held, aligned(memoryBytes / WINDOW_PART), held);
  }

  /** Elements of all sizes begin at multiples of their size. */
  private static long aligned(long bytes) {
    return bytes / Long.BYTES * Long.BYTES;
  }
}
