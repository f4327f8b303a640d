// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The extents of a stretch of the file, row by row in one array of words: offset and all else of an
 * extent share a cache line or two, which matters more than short jumps of the search, as that
 * mostly hits at once. The array grows in small steps, so that a file of one extent is small and
 * little is spare in a large one.
 */
final class Leaf extends Node {
  private static final int OFFSET = 0;
  private static final int SEQUENCE = OFFSET + 1;
  private static final int PUBLISH = SEQUENCE + 1;

  /** The extent's length in the upper half, its offset in the record in the lower. */
  private static final int PIECE = PUBLISH + 1;

  /** The record's length in the upper half, its source in the lower. */
  private static final int RECORD = PIECE + 1;

  private static final int ROW_WORDS = RECORD + 1;

  private static final int FIELD_BYTES = Integer.BYTES + 2 * HeapBytes.REFERENCE;

  /** The array grows by this part of its capacity: the trade of spare words against copying. */
  private static final int GROWTH_DIVISOR = 4;

  private long[] words;
  private @Nullable Leaf next;

  Leaf(int capacity) {
    words = new long[capacity * ROW_WORDS];
  }

  @Nullable Leaf next() {
    return next;
  }

  /** The slot of the last extent that starts at or before the offset; -1 if there is none. */
  int floorSlot(long offset) {
    return count == 0 ? -1 : floorSlot(offset, count / 2);
  }

  /** The same, given a guess, in a leaf that is not empty. */
  int floorSlot(long offset, int guess) {
    return GallopSearch.floor(words, ROW_WORDS, count, offset, guess);
  }

  long offset(int slot) {
    return words[row(slot) + OFFSET];
  }

  int lengthBytes(int slot) {
    return upper(words[row(slot) + PIECE]);
  }

  long endOffset(int slot) {
    return offset(slot) + lengthBytes(slot);
  }

  int recordOffset(int slot) {
    return (int) words[row(slot) + PIECE];
  }

  int recordBytes(int slot) {
    return upper(words[row(slot) + RECORD]);
  }

  int source(int slot) {
    return (int) words[row(slot) + RECORD];
  }

  long sequence(int slot) {
    return words[row(slot) + SEQUENCE];
  }

  long publish(int slot) {
    return words[row(slot) + PUBLISH];
  }

  void insert(int slot, Extent extent, int source) {
    if (count == capacity()) resize(grown(count));
    System.arraycopy(words, row(slot), words, row(slot + 1), (count - slot) * ROW_WORDS);
    count++;
    set(slot, extent, source);
  }

  void set(int slot, Extent extent, int source) {
    int row = row(slot);
    words[row + OFFSET] = extent.offset();
    words[row + SEQUENCE] = extent.record().sequence();
    words[row + PUBLISH] = extent.publish();
    words[row + PIECE] = pair(extent.lengthBytes(), extent.recordOffset());
    words[row + RECORD] = pair(extent.recordBytes(), source);
  }

  void setSource(int slot, int source) {
    words[row(slot) + RECORD] = pair(recordBytes(slot), source);
  }

  void remove(int slot) {
    count--;
    System.arraycopy(words, row(slot + 1), words, row(slot), (count - slot) * ROW_WORDS);
    if (count < capacity() / 2) resize(Math.max(1, count));
  }

  /** Drops the extents from {@code keep} on, and all leaves behind this one. */
  void endAt(int keep) {
    count = keep;
    next = null;
    resize(Math.max(1, keep));
  }

  @Override
  long firstOffset() {
    return offset(0);
  }

  @Override
  int keptOnAppend() {
    return count;
  }

  @Override
  Leaf splitOff(int keep) {
    int moved = count - keep;
    // A leaf that starts empty continues an append, which is likely to fill much of it.
    Leaf right = new Leaf(moved == 0 ? ENTRIES_SPARSE : moved);
    System.arraycopy(words, row(keep), right.words, 0, moved * ROW_WORDS);
    right.count = moved;
    right.next = next;
    next = right;
    count = keep;
    if (capacity() > keep) resize(keep);
    return right;
  }

  @Override
  void absorb(Node right) {
    Leaf other = (Leaf) right;
    resize(count + other.count);
    System.arraycopy(other.words, 0, words, row(count), other.count * ROW_WORDS);
    count += other.count;
    next = other.next;
  }

  @Override
  long memoryBytes() {
    return HeapBytes.object(FIELD_BYTES) + HeapBytes.array(words.length, Long.BYTES);
  }

  private int capacity() {
    return words.length / ROW_WORDS;
  }

  private static int grown(int capacity) {
    return Math.min(ENTRIES_MAX, capacity + Math.max(1, capacity / GROWTH_DIVISOR));
  }

  private void resize(int capacity) {
    words = Arrays.copyOf(words, capacity * ROW_WORDS);
  }

  private static int row(int slot) {
    return slot * ROW_WORDS;
  }

  private static long pair(int upper, int lower) {
    return (long) upper << Integer.SIZE | Integer.toUnsignedLong(lower);
  }

  private static int upper(long pair) {
    return (int) (pair >>> Integer.SIZE);
  }
}
