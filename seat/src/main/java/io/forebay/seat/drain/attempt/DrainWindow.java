// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.attempt;

/**
 * How many writes of a file each seat has pending: enough that it never waits for the next request,
 * and no more than the store completes in reasonable time, so that no late answer makes its seat
 * seem silent.
 */
final class DrainWindow {
  private static final int START = 3;
  private static final int MOST = 6;

  /** A store that answers within this time can have more. */
  private static final long QUICK_NANOS = 2_000_000_000L;

  /** One that takes longer than this has too many. */
  private static final long SLOW_NANOS = 15_000_000_000L;

  private int writes = START;

  int writes() {
    return writes;
  }

  /** A write has taken this long since its request. */
  void took(long nanos) {
    if (nanos < QUICK_NANOS) writes = Math.min(MOST, writes + 1);
    else if (nanos > SLOW_NANOS) writes = Math.max(1, writes / 2);
  }
}
