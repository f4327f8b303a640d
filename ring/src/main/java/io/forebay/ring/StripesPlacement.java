// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import io.forebay.base.GroupId;

/**
 * Lays a file in stripes over a number of neighbouring seats, one after another.
 *
 * <p>Where a file begins depends on its number. Among files made one after another each seat begins
 * equally many, as when every process writes a file of its own. Numbers that are multiples of the
 * number of seats, which plain counting would all put onto one seat, are spread by a hash. Seats
 * with more granules come more often.
 */
final class StripesPlacement implements Placement {
  private final Candidates candidates;
  private final long unitBytes;
  private final int[] turns;
  private final int width;

  /**
   * Makes a placement.
   *
   * @param width over how many seats, or turns of seats that come more often; 0 for all
   */
  StripesPlacement(Candidates candidates, long unitBytes, int width) {
    this.candidates = candidates;
    this.unitBytes = unitBytes;
    this.turns = candidates.turns();
    this.width = width == 0 ? turns.length : Math.min(width, turns.length);
  }

  @Override
  public GroupId choose(long fileNumber, long offset, int attempt) {
    int count = turns.length;
    int stripe = (int) ((offset / unitBytes) % width);
    return candidates.group(turns[(start(fileNumber, count) + stripe) % count], attempt);
  }

  /** With which turn a file begins. */
  static int start(long fileNumber, int count) {
    long block = Math.floorDiv(fileNumber, count);
    return (Math.floorMod(fileNumber, count) + Math.floorMod(Spread.mix(block), count)) % count;
  }
}
