// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Puts parts from many ranks into a window: in the order in which they are added, which is that of
 * ranks, or, if their ages differ, the oldest first.
 */
final class Overlay {
  private static final int PART_NUMBERS = 3;

  private final MemorySegment received;
  private final MemorySegment window;
  private final long windowStart;

  /** Offset, length and position in the received bytes. */
  private long[] parts = new long[PART_NUMBERS * 16];

  /** The age of each part, with its number in the lower half. */
  private long[] order = new long[16];

  private int count;
  private boolean sorted = true;

  Overlay(MemorySegment received, MemorySegment window, long windowStart) {
    this.received = received;
    this.window = window;
    this.windowStart = windowStart;
  }

  void add(long offset, long bytes, long place, int age) {
    if (count == order.length) {
      order = Arrays.copyOf(order, 2 * count);
      parts = Arrays.copyOf(parts, 2 * PART_NUMBERS * count);
    }
    parts[PART_NUMBERS * count] = offset;
    parts[PART_NUMBERS * count + 1] = bytes;
    parts[PART_NUMBERS * count + 2] = place;
    order[count] = ((long) age << Integer.SIZE) | count;
    if (count > 0 && order[count] < order[count - 1]) sorted = false;
    count++;
  }

  void copy() {
    if (!sorted) Arrays.sort(order, 0, count);
    for (int i = 0; i < count; i++) {
      int part = PART_NUMBERS * (int) order[i];
      MemorySegment.copy(
          received, parts[part + 2], window, parts[part] - windowStart, parts[part + 1]);
    }
  }
}
