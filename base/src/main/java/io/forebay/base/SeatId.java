// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

/** Names one seat of a cluster forever: a place on the ring and the log behind it. */
public record SeatId(int number) implements Comparable<SeatId> {
  @Override
  public int compareTo(SeatId other) {
    return Integer.compare(number, other.number);
  }

  @Override
  public String toString() {
    return "seat " + number;
  }
}
