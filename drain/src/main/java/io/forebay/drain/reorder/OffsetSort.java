// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.reorder;

/** Sorts offsets, each with a number attached. Sorted input costs nothing. */
abstract sealed class OffsetSort permits PackedSort, DigitSort {
  private boolean inOrder = true;
  private int count;
  private long last;

  /**
   * The fastest that can do it.
   *
   * @param sample one of the offsets
   * @param differing the bits in which any offset may differ from it
   * @param numbersMax the highest number
   */
  static OffsetSort of(long sample, long differing, int numbersMax) {
    return PackedSort.suits(differing, numbersMax)
        ? new PackedSort(sample, differing, numbersMax)
        : new DigitSort(differing);
  }

  /** Clears everything and makes room for this many. */
  final void begin(int entries) {
    reserve(entries);
    count = 0;
    last = 0;
    inOrder = true;
  }

  /** Adds an entry; neither offset nor number may be negative. */
  final void add(long offset, int number) {
    if (offset < last) inOrder = false;
    last = offset;
    put(count++, offset, number);
  }

  final void sort() {
    if (!inOrder) sort(count);
  }

  final int count() {
    return count;
  }

  /** After sorting, the offset at that place. */
  abstract long offset(int place);

  /** After sorting, the number at that place. */
  abstract int number(int place);

  abstract void reserve(int entries);

  abstract void put(int place, long offset, int number);

  abstract void sort(int entries);
}
