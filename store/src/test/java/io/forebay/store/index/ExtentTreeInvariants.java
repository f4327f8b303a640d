// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks the shape of a directory's tree: order, bounds, fill and the chain of leaves. */
final class ExtentTreeInvariants {
  private int extents;
  private long endOffset;
  private Leaf expectedLeaf;

  private ExtentTreeInvariants(Leaf first) {
    expectedLeaf = first;
  }

  static void check(ExtentDirectory directory) {
    check(directory.tree());
    assertThat(directory.sizeBytes()).isGreaterThanOrEqualTo(directory.tree().endOffset());
  }

  static void check(ExtentTree tree) {
    ExtentTreeInvariants invariants = new ExtentTreeInvariants(tree.firstLeaf());
    invariants.walk(tree.root(), 0, true, true);
    assertThat(invariants.extents).isEqualTo(tree.extents());
    assertThat(invariants.endOffset).isEqualTo(tree.endOffset());
  }

  /** Walks a subtree that answers for offsets from {@code bound} on; returns its height. */
  private int walk(Node node, long bound, boolean root, boolean rightEdge) {
    assertThat(node.count).isLessThanOrEqualTo(Node.ENTRIES_MAX);
    if (!root && !rightEdge) {
      assertThat(node.count).isGreaterThanOrEqualTo(Node.ENTRIES_SPARSE);
    }
    if (node instanceof Inner inner) return walkChildren(inner, bound, rightEdge);
    walkExtents((Leaf) node, bound, root, rightEdge);
    return 0;
  }

  private int walkChildren(Inner inner, long bound, boolean rightEdge) {
    assertThat(inner.count).isGreaterThanOrEqualTo(Inner.CHILDREN_MIN);
    assertThat(inner.firstOffset(0)).isEqualTo(bound);
    int height = 0;
    for (int i = 0; i < inner.count; i++) {
      boolean last = i == inner.count - 1;
      // Extents of the children before end below this child's bound or start there at the latest.
      if (i > 0) assertThat(inner.firstOffset(i)).isGreaterThan(inner.firstOffset(i - 1));
      int childHeight = walk(inner.child(i), inner.firstOffset(i), false, rightEdge && last);
      if (i > 0) assertThat(childHeight).isEqualTo(height);
      height = childHeight;
      if (!last) assertThat(lastStart(inner.child(i))).isLessThan(inner.firstOffset(i + 1));
    }
    return height + 1;
  }

  private static long lastStart(Node top) {
    Node node = top;
    while (node instanceof Inner inner) node = inner.lastChild();
    return ((Leaf) node).offset(node.count - 1);
  }

  private void walkExtents(Leaf leaf, long bound, boolean root, boolean rightEdge) {
    assertThat(leaf).isSameAs(expectedLeaf);
    if (!root) assertThat(leaf.count).isPositive();
    if (leaf.count > 0) assertThat(leaf.offset(0)).isGreaterThanOrEqualTo(bound);
    for (int slot = 0; slot < leaf.count; slot++) {
      // Plain comparisons: the assertion library is too slow for a million extents.
      if (leaf.offset(slot) < endOffset || leaf.lengthBytes(slot) <= 0) {
        throw new AssertionError("extent at " + leaf.offset(slot) + " overlaps or is empty");
      }
      endOffset = leaf.endOffset(slot);
    }
    extents += leaf.count;
    Leaf next = leaf.next();
    assertThat(next == null).isEqualTo(rightEdge);
    if (next != null) expectedLeaf = next;
  }
}
