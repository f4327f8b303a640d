// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.reorder;

import java.util.Arrays;

/**
 * Sorts digit by digit, from the lowest upwards, only digits in which offsets differ. For offsets
 * and numbers that do not fit one long together. Takes 12 bytes per entry, and 12 more to sort.
 */
final class DigitSort extends OffsetSort {
  private static final int DIGIT_BITS = 8;
  private static final int DIGITS = 1 << DIGIT_BITS;

  private final long differing;
  private final int[] places = new int[DIGITS];
  private long[] offsets = new long[0];
  private int[] numbers = new int[0];
  private long[] otherOffsets = new long[0];
  private int[] otherNumbers = new int[0];

  DigitSort(long differing) {
    this.differing = differing;
  }

  @Override
  long offset(int place) {
    return offsets[place];
  }

  @Override
  int number(int place) {
    return numbers[place];
  }

  @Override
  void reserve(int count) {
    if (offsets.length >= count) return;
    offsets = new long[count];
    numbers = new int[count];
  }

  @Override
  void put(int place, long offset, int number) {
    offsets[place] = offset;
    numbers[place] = number;
  }

  @Override
  void sort(int count) {
    if (otherOffsets.length < count) {
      otherOffsets = new long[count];
      otherNumbers = new int[count];
    }
    for (int shift = 0; shift < Long.SIZE; shift += DIGIT_BITS) {
      if (((differing >>> shift) & (DIGITS - 1)) != 0) distribute(count, shift);
    }
  }

  /** Entries that have the same digit stay in order. */
  private void distribute(int count, int shift) {
    Arrays.fill(places, 0);
    for (int i = 0; i < count; i++) places[digit(offsets[i], shift)]++;
    int place = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
      int entries = places[digit];
      places[digit] = place;
      place += entries;
    }
    for (int i = 0; i < count; i++) {
      int to = places[digit(offsets[i], shift)]++;
      otherOffsets[to] = offsets[i];
      otherNumbers[to] = numbers[i];
    }
    long[] sortedOffsets = otherOffsets;
    otherOffsets = offsets;
    offsets = sortedOffsets;
    int[] sortedNumbers = otherNumbers;
    otherNumbers = numbers;
    numbers = sortedNumbers;
  }

  private static int digit(long offset, int shift) {
    return (int) (offset >>> shift) & (DIGITS - 1);
  }
}
