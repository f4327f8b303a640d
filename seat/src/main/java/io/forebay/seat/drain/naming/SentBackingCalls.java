// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.naming;

import java.util.HashMap;
import java.util.Map;

/**
 * The calls of this process that change names in backing stores, by tree: the process knows more of
 * its own calls than the journal does, even as the home of a later epoch. One entry per tree.
 * Called by its seat's loop only.
 */
public final class SentBackingCalls {
  private record Tree(int instance, int tree) {}

  // Looked up only.
  private final Map<Tree, BackingFence.Sent> trees = new HashMap<>();

  public BackingFence.Sent of(int instance, int tree) {
    return trees.computeIfAbsent(new Tree(instance, tree), key -> new BackingFence.Sent());
  }
}
