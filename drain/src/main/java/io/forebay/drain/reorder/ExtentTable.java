// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.reorder;

import java.util.Arrays;

/**
 * Extents as plain numbers: offset in the file, length, source, offset in the source. The numbers
 * of one extent are adjacent, since after sorting they are read in random order: that is one memory
 * access and not four. Each takes {@link #EXTENT_BYTES}; a growing table keeps up to half as much
 * again in reserve.
 */
final class ExtentTable {
  private static final int OFFSET = 0;
  private static final int LENGTH_AND_SOURCE = OFFSET + 1;
  private static final int SOURCE_OFFSET = LENGTH_AND_SOURCE + 1;
  private static final int CELLS = SOURCE_OFFSET + 1;

  static final int EXTENT_BYTES = CELLS * Long.BYTES;

  /** More than this do not fit an array. */
  static final int COUNT_MAX = (Integer.MAX_VALUE - 8) / CELLS;

  private static final int CAPACITY_MIN = 16;

  private long[] cells;
  private int count;
  private long differing;

  ExtentTable(int expected) {
    if (expected < 0 || expected > COUNT_MAX) {
      throw new IllegalArgumentException(expected + " extents; at most " + COUNT_MAX);
    }
    cells = new long[expected * CELLS];
  }

  /** The new capacity of a list that is full. */
  static int grown(int capacity) {
    if (capacity >= COUNT_MAX) {
      throw new IllegalStateException("more than " + COUNT_MAX + " extents");
    }
    return (int) Math.min(COUNT_MAX, Math.max(CAPACITY_MIN, capacity + (capacity / 2L)));
  }

  void add(long offset, int lengthBytes, int source, long sourceOffset) {
    if (lengthBytes <= 0 || offset < 0 || offset > Long.MAX_VALUE - lengthBytes) {
      throw new IllegalArgumentException("no extent: " + lengthBytes + " bytes at " + offset);
    }
    int at = count * CELLS;
    if (at == cells.length) cells = Arrays.copyOf(cells, grown(count) * CELLS);
    cells[at + OFFSET] = offset;
    differing |= offset ^ cells[OFFSET];
    cells[at + LENGTH_AND_SOURCE] = ((long) lengthBytes << Integer.SIZE) | (source & 0xffff_ffffL);
    cells[at + SOURCE_OFFSET] = sourceOffset;
    count++;
  }

  /** Makes the last extent longer. */
  void lengthenLast(int moreBytes) {
    cells[(count - 1) * CELLS + LENGTH_AND_SOURCE] += (long) moreBytes << Integer.SIZE;
  }

  /** Frees spare capacity. */
  void trim() {
    if (count * CELLS < cells.length) cells = Arrays.copyOf(cells, count * CELLS);
  }

  /** The bits in which any offset differs from the first one. */
  long differingBits() {
    return differing;
  }

  int count() {
    return count;
  }

  long offset(int extent) {
    return cells[extent * CELLS + OFFSET];
  }

  int lengthBytes(int extent) {
    return (int) (cells[extent * CELLS + LENGTH_AND_SOURCE] >>> Integer.SIZE);
  }

  long endOffset(int extent) {
    return offset(extent) + lengthBytes(extent);
  }

  int source(int extent) {
    return (int) cells[extent * CELLS + LENGTH_AND_SOURCE];
  }

  long sourceOffset(int extent) {
    return cells[extent * CELLS + SOURCE_OFFSET];
  }
}
