// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring.access;

import io.forebay.ring.Instance;
import org.jspecify.annotations.Nullable;

/**
 * The names by which clients ask an instance's tree 0 for a tree. Most are names of client nodes;
 * names that begin with {@code @} belong to no node. Stateless.
 *
 * <ol>
 *   <li>With shared access every name leads to tree 0.
 *   <li>With private access a name leads to the tree of the node of that name. The tree of {@code
 *       @stage} has the notes of stages.
 *   <li>With both, {@code @private/NODE} leads to the tree of a node, and every other name to tree
 *       0, which all nodes share and which also lists the private trees.
 * </ol>
 */
public final class TreeNames {
  private static final String RESERVED = "@";
  private static final String STAGES = RESERVED + "stage";
  private static final String PRIVATE = RESERVED + "private/";

  private TreeNames() {}

  /**
   * Checks the name of a client node.
   *
   * @throws IllegalArgumentException if no node may have it
   */
  public static void requireNode(String node) {
    if (!node.startsWith(RESERVED)) return;
    throw new IllegalArgumentException(
        "'%s' is no name of a node: names that begin with '%s' are for trees of Forebay's own"
            .formatted(node, RESERVED));
  }

  /** The name of the private tree of a node. */
  public static String ofPrivate(Instance instance, String node) {
    return instance.hasSharedTree() ? PRIVATE + node : node;
  }

  /** The name, for a client on a node, of the tree that has the notes of stages. */
  public static String ofStages(Instance instance, String node) {
    return instance.hasSharedTree() ? node : STAGES;
  }

  /** The node whose private tree a name leads to, or null if it leads to tree 0. */
  public static @Nullable String nodeOf(Instance instance, String name) {
    return switch (instance.access()) {
      case SHARED -> null;
      case PRIVATE -> name;
      case BOTH -> name.startsWith(PRIVATE) ? name.substring(PRIVATE.length()) : null;
    };
  }
}
