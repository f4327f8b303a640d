// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.reorder;

import java.util.Arrays;

/**
 * Packs offset and number into one long, without the bits that all offsets have in common: an array
 * of longs sorts fastest. Takes 8 bytes per entry.
 */
final class PackedSort extends OffsetSort {
  /** The sign stays free. */
  private static final int BITS_MAX = Long.SIZE - 1;

  private final int sameBits;
  private final int numberBits;
  private final long numberMask;
  private final long offsetMask;
  private final long common;
  private long[] entries = new long[0];

  PackedSort(long sample, long differing, int numbersMax) {
    sameBits = Long.numberOfTrailingZeros(differing | Long.MIN_VALUE);
    numberBits = bits(numbersMax);
    numberMask = (1L << numberBits) - 1;
    offsetMask = (1L << bits(differing >>> sameBits)) - 1;
    common = sample & ~(offsetMask << sameBits);
  }

  static boolean suits(long differing, int numbersMax) {
    int sameBits = Long.numberOfTrailingZeros(differing | Long.MIN_VALUE);
    return bits(differing >>> sameBits) + bits(numbersMax) <= BITS_MAX;
  }

  private static int bits(long value) {
    return Long.SIZE - Long.numberOfLeadingZeros(value);
  }

  @Override
  long offset(int place) {
    return common | ((entries[place] >>> numberBits) << sameBits);
  }

  @Override
  int number(int place) {
    return (int) (entries[place] & numberMask);
  }

  @Override
  void reserve(int count) {
    if (entries.length < count) entries = new long[count];
  }

  @Override
  void put(int place, long offset, int number) {
    entries[place] = (((offset >>> sameBits) & offsetMask) << numberBits) | number;
  }

  @Override
  void sort(int count) {
    Arrays.sort(entries, 0, count);
  }
}
