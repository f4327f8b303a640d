// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import java.util.Arrays;

/**
 * An inner node of an {@link ExtentTree}. Child {@code i} covers the offsets from {@code
 * firstOffsets[i]} up to the next child's. These bounds need not be offsets of extents that exist:
 * removing a child's first extent leaves its bound alone. The bound at index 0 repeats the parent's
 * for this node (0 on the left edge), so that children move with their bounds.
 */
final class Inner extends Node {
  /** An inner node with one child could not mend that child: there would be no sibling. */
  static final int CHILDREN_MIN = 2;

  private static final int FIELD_BYTES = Integer.BYTES + 2 * HeapBytes.REFERENCE;

  private long[] firstOffsets = new long[ENTRIES_MAX];
  private Node[] children = new Node[ENTRIES_MAX];

  Node child(int index) {
    return children[index];
  }

  Node lastChild() {
    return children[count - 1];
  }

  long firstOffset(int index) {
    return firstOffsets[index];
  }

  /** The index of the child that answers for the offset. */
  int indexOf(long offset) {
    return indexOf(offset, count / 2);
  }

  /** The same, given a guess. */
  int indexOf(long offset, int guess) {
    return GallopSearch.floor(firstOffsets, 1, count, offset, guess);
  }

  void insert(int index, long firstOffset, Node child) {
    System.arraycopy(firstOffsets, index, firstOffsets, index + 1, count - index);
    System.arraycopy(children, index, children, index + 1, count - index);
    count++;
    set(index, firstOffset, child);
  }

  void set(int index, long firstOffset, Node child) {
    firstOffsets[index] = firstOffset;
    children[index] = child;
  }

  void remove(int index) {
    System.arraycopy(firstOffsets, index + 1, firstOffsets, index, count - index - 1);
    System.arraycopy(children, index + 1, children, index, count - index - 1);
    shorten(count - 1);
  }

  /** Drops the children from index {@code keep} on. */
  void shorten(int keep) {
    Arrays.fill(children, keep, count, null);
    count = keep;
  }

  @Override
  long firstOffset() {
    return firstOffsets[0];
  }

  @Override
  int keptOnAppend() {
    return count - CHILDREN_MIN;
  }

  @Override
  Inner splitOff(int keep) {
    Inner right = new Inner();
    right.count = count - keep;
    System.arraycopy(firstOffsets, keep, right.firstOffsets, 0, right.count);
    System.arraycopy(children, keep, right.children, 0, right.count);
    shorten(keep);
    if (children.length > ENTRIES_MAX) resize(ENTRIES_MAX);
    return right;
  }

  @Override
  void absorb(Node right) {
    Inner other = (Inner) right;
    int total = count + other.count;
    if (total > children.length) resize(total);
    System.arraycopy(other.firstOffsets, 0, firstOffsets, count, other.count);
    System.arraycopy(other.children, 0, children, count, other.count);
    count = total;
  }

  private void resize(int capacity) {
    firstOffsets = Arrays.copyOf(firstOffsets, capacity);
    children = Arrays.copyOf(children, capacity);
  }

  @Override
  long memoryBytes() {
    return HeapBytes.object(FIELD_BYTES)
        + HeapBytes.array(firstOffsets.length, Long.BYTES)
        + HeapBytes.array(children.length, HeapBytes.REFERENCE);
  }
}
