// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.node;

import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Nodes by number: an open hash table of references, a tenth of the size of a map of boxed numbers.
 */
public final class NodeTable {
  /** More nodes than the memory of a seat holds. */
  public static final int NODES_MAX = 1 << 29;

  private static final int INITIAL_SLOTS = 16;
  private static final long HASH_MULTIPLIER = 0x9E3779B97F4A7C15L;

  /** Null is a free slot; at least a quarter are free. */
  private @Nullable Node[] slots = new @Nullable Node[INITIAL_SLOTS];

  private int size;

  public int size() {
    return size;
  }

  public @Nullable Node get(long number) {
    return slots[slotOf(slots, number)];
  }

  /** A directory that the tree always has. */
  public DirectoryNode directory(long number) {
    if (get(number) instanceof DirectoryNode directory) return directory;
    throw new IllegalStateException("the tree lacks directory " + number);
  }

  public void add(Node node) {
    int slot = slotOf(slots, node.number());
    if (slots[slot] != null) throw new IllegalStateException("two nodes " + node.number());
    slots[slot] = node;
    size++;
    if (size > slots.length / 4 * 3) grow();
  }

  public void remove(Node node) {
    int slot = slotOf(slots, node.number());
    if (slots[slot] == null) throw new IllegalStateException("no node " + node.number());
    size--;
    closeGap(slot);
  }

  /** Moves back entries that are behind a freed slot only because it was taken. */
  private void closeGap(int freed) {
    int mask = slots.length - 1;
    int gap = freed;
    int slot = gap;
    while (true) {
      slot = (slot + 1) & mask;
      Node node = slots[slot];
      if (node == null) break;
      int home = homeOf(node.number(), mask);
      boolean staysReachable = ((slot - home) & mask) < ((slot - gap) & mask);
      if (staysReachable) continue;
      slots[gap] = node;
      gap = slot;
    }
    slots[gap] = null;
  }

  /** All nodes in the order of their numbers. */
  public Node[] sorted() {
    Node[] nodes = new Node[size];
    int count = 0;
    for (Node node : slots) {
      if (node != null) nodes[count++] = node;
    }
    Arrays.sort(nodes, Comparator.comparingLong(Node::number));
    return nodes;
  }

  private void grow() {
    @Nullable Node[] larger = new @Nullable Node[Math.multiplyExact(slots.length, 2)];
    for (Node node : slots) {
      if (node != null) larger[slotOf(larger, node.number())] = node;
    }
    slots = larger;
  }

  private static int slotOf(@Nullable Node[] slots, long number) {
    int mask = slots.length - 1;
    int slot = homeOf(number, mask);
    while (true) {
      Node node = slots[slot];
      if (node == null || node.number() == number) return slot;
      slot = (slot + 1) & mask;
    }
  }

  private static int homeOf(long number, int mask) {
    return (int) ((number * HASH_MULTIPLIER) >>> Integer.SIZE) & mask;
  }
}
