// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

/**
 * Names one group: the seat whose place on the ring it starts from, and how many copies it keeps.
 * It does not depend on its members.
 */
public record GroupId(int number) implements Comparable<GroupId> {
  /**
   * More copies than any instance needs; the lowest bits of the number hold the number of copies.
   */
  public static final int COPIES_MAX = 8;

  /** The group with this many copies that starts from a seat. */
  public static GroupId of(SeatId origin, int copies) {
    if (copies < 1 || copies > COPIES_MAX) {
      throw new IllegalArgumentException(copies + " copies; a group keeps 1 to " + COPIES_MAX);
    }
    return new GroupId(origin.number() * COPIES_MAX + copies - 1);
  }

  public SeatId origin() {
    return new SeatId(number / COPIES_MAX);
  }

  public int copies() {
    return number % COPIES_MAX + 1;
  }

  @Override
  public int compareTo(GroupId other) {
    return Integer.compare(number, other.number);
  }

  @Override
  public String toString() {
    return "group " + origin().number() + "x" + copies();
  }
}
