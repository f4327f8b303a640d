// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

/** A node of an {@link ExtentTree}: {@link #count} entries in the order of their offsets. */
abstract sealed class Node permits Inner, Leaf {
  /**
   * The largest size at which all inner nodes of a directory of ten million extents stay in a
   * core's cache, so that a lookup waits for memory in the leaf only. A larger size would make
   * inserts out of order shift too much.
   */
  static final int ENTRIES_MAX = 256;

  /** With fewer entries than this a node shares with a sibling. */
  static final int ENTRIES_SPARSE = ENTRIES_MAX / 4;

  int count;

  final boolean isFull() {
    return count == ENTRIES_MAX;
  }

  final boolean isSparse() {
    return count < ENTRIES_SPARSE;
  }

  /** The lowest offset this node answers for; undefined when it is empty. */
  abstract long firstOffset();

  /**
   * How many entries to keep when this node is split because of an append. An even split would
   * leave every node of a file written from front to back half empty.
   */
  abstract int keptOnAppend();

  /** Moves the entries from index {@code keep} on into a new right sibling. */
  abstract Node splitOff(int keep);

  /** Takes all entries of the right sibling; may exceed the bound until the split that follows. */
  abstract void absorb(Node right);

  /** The heap size of this node, without its children. */
  abstract long memoryBytes();
}
