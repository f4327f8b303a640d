// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.set;

import java.util.Arrays;

/**
 * A set of random numbers other than 0 that only grows: 8 bytes each, and the same again in spare
 * capacity.
 */
public final class LongSet {
  private static final int INITIAL_SLOTS = 8;
  private static final long HASH_MULTIPLIER = 0x9E3779B97F4A7C15L;

  /** Open addressing; 0 is a free slot, and at least half are free. */
  private long[] slots = new long[INITIAL_SLOTS];

  private int size;

  public int size() {
    return size;
  }

  public boolean contains(long value) {
    return value != 0 && slots[slotOf(slots, value)] == value;
  }

  public void add(long value) {
    if (value == 0) throw new IllegalArgumentException("0 stands for a free slot");
    int slot = slotOf(slots, value);
    if (slots[slot] == value) return;
    slots[slot] = value;
    size++;
    if (2 * size > slots.length) grow();
  }

  /** All numbers, ascending. */
  public long[] sorted() {
    long[] values = new long[size];
    int count = 0;
    for (long value : slots) {
      if (value != 0) values[count++] = value;
    }
    Arrays.sort(values);
    return values;
  }

  private void grow() {
    long[] larger = new long[Math.multiplyExact(slots.length, 2)];
    for (long value : slots) {
      if (value != 0) larger[slotOf(larger, value)] = value;
    }
    slots = larger;
  }

  /** The slot of the value, or the free slot where it would be. */
  private static int slotOf(long[] slots, long value) {
    int mask = slots.length - 1;
    int slot = (int) ((value * HASH_MULTIPLIER) >>> Integer.SIZE) & mask;
    while (slots[slot] != 0 && slots[slot] != value) slot = (slot + 1) & mask;
    return slot;
  }
}
