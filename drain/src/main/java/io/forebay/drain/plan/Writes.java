// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

import io.forebay.drain.reorder.Pieces;
import java.util.Arrays;

/** The writes of a file in order, as columns of 16 bytes per write. */
final class Writes {
  private static final int CAPACITY_MIN = 16;

  private long[] offsets;
  private int[] lengths;
  private int[] firstPieces;
  private int count;

  Writes(long expected) {
    int capacity = Math.clamp(expected, CAPACITY_MIN, FileDomains.WRITES_MAX);
    offsets = new long[capacity];
    lengths = new int[capacity];
    firstPieces = new int[capacity];
  }

  /**
   * Adds a write behind all others.
   *
   * @param firstPiece the first piece that ends behind the write's start
   */
  void add(long from, long to, int firstPiece) {
    if (count == offsets.length) resize((int) Math.min(Pieces.COUNT_MAX, count + (count / 2L)));
    offsets[count] = from;
    lengths[count] = (int) (to - from);
    firstPieces[count] = firstPiece;
    count++;
  }

  void trim() {
    resize(count);
  }

  private void resize(int capacity) {
    offsets = Arrays.copyOf(offsets, capacity);
    lengths = Arrays.copyOf(lengths, capacity);
    firstPieces = Arrays.copyOf(firstPieces, capacity);
  }

  int count() {
    return count;
  }

  long offset(int write) {
    return offsets[write];
  }

  int lengthBytes(int write) {
    return lengths[write];
  }

  int firstPiece(int write) {
    return firstPieces[write];
  }

  /** The bytes of the writes from one up to another, which does not count. */
  long bytes(int from, int to) {
    long bytes = 0;
    for (int write = from; write < to; write++) bytes += lengths[write];
    return bytes;
  }
}
