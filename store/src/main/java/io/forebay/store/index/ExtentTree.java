// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

/**
 * A B+tree of extents by their offset. It does not compare ages: its caller keeps the extents
 * disjoint. No object exists per extent; see {@link Leaf} for where they are.
 *
 * <p>Inserting splits full nodes on the way down, so that the parent of a split always has room.
 * Removing lets a sparse node share with a sibling on the way back. Only nodes on the right edge
 * may be sparser, as appends leave them, though no leaf but a lone root is empty.
 */
final class ExtentTree {
  private static final int FIELD_BYTES = Integer.BYTES + HeapBytes.REFERENCE;
  private static final int ROOT_CAPACITY = 1;

  private Node root = new Leaf(ROOT_CAPACITY);
  private int extents;

  int extents() {
    return extents;
  }

  Node root() {
    return root;
  }

  Leaf firstLeaf() {
    Node node = root;
    while (node instanceof Inner inner) node = inner.child(0);
    return (Leaf) node;
  }

  /** Moves the cursor to the last extent at or before the offset; if none, before the first. */
  boolean floor(long offset, ExtentCursor cursor) {
    Node node = root;
    Node left = null;
    long low = 0;
    long high = endOffset();
    while (node instanceof Inner inner) {
      int index = inner.indexOf(offset, GallopSearch.guess(offset, low, high, inner.count));
      if (index > 0) left = inner.child(index - 1);
      if (index + 1 < inner.count) high = inner.firstOffset(index + 1);
      low = inner.firstOffset(index);
      node = inner.child(index);
    }
    Leaf leaf = (Leaf) node;
    int slot =
        extents == 0
            ? -1
            : leaf.floorSlot(offset, GallopSearch.guess(offset, low, high, leaf.count));
    if (slot >= 0) return cursor.moveTo(leaf, slot);
    if (left == null) {
      cursor.rewind();
      return false;
    }
    // The leaf's first extents were removed: the target is the last of the subtree to the left.
    Leaf previous = lastLeaf(left);
    return cursor.moveTo(previous, previous.count - 1);
  }

  /** The end of the last extent; 0 if there is none. */
  long endOffset() {
    Leaf last = lastLeaf(root);
    return last.count == 0 ? 0 : last.endOffset(last.count - 1);
  }

  private static Leaf lastLeaf(Node top) {
    Node node = top;
    while (node instanceof Inner inner) node = inner.lastChild();
    return (Leaf) node;
  }

  /** Adds an extent behind all others. */
  void append(Extent extent, int source) {
    Leaf last = lastLeaf(root);
    if (last.isFull()) last = leafFor(extent.offset(), true);
    last.insert(last.count, extent, source);
    extents++;
  }

  /** Adds an extent at an offset where none starts. */
  void insert(Extent extent, int source) {
    Leaf leaf = leafFor(extent.offset(), false);
    leaf.insert(leaf.floorSlot(extent.offset()) + 1, extent, source);
    extents++;
  }

  /** The leaf that takes an extent at the offset; it has room. */
  private Leaf leafFor(long offset, boolean appending) {
    if (root.isFull()) {
      Inner top = new Inner();
      top.insert(0, 0, root);
      root = top;
      splitChild(top, 0, offset, appending);
    }
    Node node = root;
    while (node instanceof Inner inner) {
      int index = inner.indexOf(offset);
      if (inner.child(index).isFull()) {
        splitChild(inner, index, offset, appending);
        index = inner.indexOf(offset);
      }
      node = inner.child(index);
    }
    return (Leaf) node;
  }

  private static void splitChild(Inner parent, int index, long offset, boolean appending) {
    Node child = parent.child(index);
    Node right = child.splitOff(appending ? child.keptOnAppend() : child.count / 2);
    parent.insert(index + 1, right.count == 0 ? offset : right.firstOffset(), right);
  }

  /** Removes the extent that starts at the offset. */
  void remove(long offset) {
    remove(root, offset);
    extents--;
    if (root instanceof Inner top && top.count == 1) root = top.child(0);
  }

  private void remove(Node node, long offset) {
    if (node instanceof Inner inner) {
      int index = inner.indexOf(offset);
      Node child = inner.child(index);
      remove(child, offset);
      if (child.isSparse()) join(inner, Math.max(0, index - 1));
    } else {
      Leaf leaf = (Leaf) node;
      int slot = leaf.floorSlot(offset);
      assert leaf.offset(slot) == offset : "no extent starts at " + offset;
      leaf.remove(slot);
    }
  }

  /** Makes one of the child and its right sibling, or two of equal size if one cannot hold all. */
  private static void join(Inner parent, int index) {
    Node left = parent.child(index);
    Node right = parent.child(index + 1);
    int total = left.count + right.count;
    left.absorb(right);
    if (total <= Node.ENTRIES_MAX) {
      parent.remove(index + 1);
    } else {
      Node half = left.splitOff(total / 2);
      parent.set(index + 1, half.firstOffset(), half);
    }
  }

  /** Removes all extents that start at or behind the offset. */
  void removeFrom(long offset, ExtentCursor scratch) {
    if (offset == 0 || !floor(offset - 1, scratch)) {
      root = new Leaf(ROOT_CAPACITY);
      extents = 0;
      return;
    }
    long lastKept = scratch.offset();
    Node node = root;
    while (node instanceof Inner inner) {
      int index = inner.indexOf(lastKept);
      inner.shorten(index + 1);
      node = inner.child(index);
    }
    Leaf leaf = (Leaf) node;
    int kept = leaf.floorSlot(lastKept) + 1;
    extents -= leaf.count - kept;
    for (Leaf dropped = leaf.next(); dropped != null; dropped = dropped.next()) {
      extents -= dropped.count;
    }
    leaf.endAt(kept);
    mendRightEdge();
  }

  /** From the root down, so that every parent has the two children that joining needs. */
  private void mendRightEdge() {
    Node node = root;
    while (node instanceof Inner inner) {
      if (inner.count > 1 && inner.lastChild().isSparse()) join(inner, inner.count - 2);
      if (inner.count == 1) root = inner.child(0);
      node = inner.lastChild();
    }
  }

  /** The heap size of the tree; walks all nodes. */
  long memoryBytes() {
    return HeapBytes.object(FIELD_BYTES) + memoryBytes(root);
  }

  private static long memoryBytes(Node node) {
    long bytes = node.memoryBytes();
    if (node instanceof Inner inner) {
      for (int i = 0; i < inner.count; i++) bytes += memoryBytes(inner.child(i));
    }
    return bytes;
  }
}
