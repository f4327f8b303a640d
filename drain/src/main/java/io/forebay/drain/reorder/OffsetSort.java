package io.forebay.drain.reorder;

import java.util.Arrays;

/**
 * Sorts offsets, each with a number that goes along. By digits, only those in which the offsets
 * differ, so that a file of aligned extents takes few passes. What is in order already costs
 * nothing. Takes 12 bytes per entry, and 12 more if it had to sort many.
 */
final class OffsetSort {
  /** So few are sorted by insertion: clearing the counters would take longer. */
  private static final int INSERTED_MAX = 48;

  private static final int DIGIT_BITS = 8;
  private static final int DIGITS = 1 << DIGIT_BITS;

  private long[] offsets = new long[0];
  private int[] numbers = new int[0];
  private long[] otherOffsets = new long[0];
  private int[] otherNumbers = new int[0];
  private final int[] places = new int[DIGITS];
  private int count;
  private boolean inOrder;
  private long differing;

  /** Forgets everything and makes room for so many. */
  void begin(int entries) {
    if (offsets.length < entries) {
      offsets = new long[entries];
      numbers = new int[entries];
    }
    count = 0;
    inOrder = true;
    differing = 0;
  }

  void add(long offset, int number) {
    if (count > 0) {
      inOrder &= offset >= offsets[count - 1];
      differing |= offset ^ offsets[0];
    }
    offsets[count] = offset;
    numbers[count] = number;
    count++;
  }

  int count() {
    return count;
  }

  /** After sorting, the offset at that place. */
  long offset(int place) {
    return offsets[place];
  }

  /** After sorting, the number at that place. */
  int number(int place) {
    return numbers[place];
  }

  void sort() {
    if (inOrder) return;
    if (count <= INSERTED_MAX) insert();
    else distribute();
  }

  private void insert() {
    for (int i = 1; i < count; i++) {
      long offset = offsets[i];
      int number = numbers[i];
      int place = i;
      while (place > 0 && offsets[place - 1] > offset) {
        offsets[place] = offsets[place - 1];
        numbers[place] = numbers[place - 1];
        place--;
      }
      offsets[place] = offset;
      numbers[place] = number;
    }
  }

  private void distribute() {
    if (otherOffsets.length < count) {
      otherOffsets = new long[offsets.length];
      otherNumbers = new int[offsets.length];
    }
    int shift = Long.numberOfTrailingZeros(differing);
    while (shift < Long.SIZE && differing >>> shift != 0) {
      if (((differing >>> shift) & (DIGITS - 1)) != 0) distribute(shift);
      shift += DIGIT_BITS;
    }
  }

  /** One pass from the lowest digit upwards; entries of the same digit stay in order. */
  private void distribute(int shift) {
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
