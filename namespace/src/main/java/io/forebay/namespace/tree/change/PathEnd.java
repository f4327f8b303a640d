// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.change;

import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.Node;
import org.jspecify.annotations.Nullable;

/**
 * Where a path ends: a directory, a name in it, and what has that name.
 *
 * @param parent the directory; for {@link Last#SELF} and {@link Last#ROOT} of no meaning
 * @param node what the name stands for, not followed if it is a symlink; null if there is nothing
 * @param slash whether slashes follow the name, so that only a directory will do
 */
public record PathEnd(
    DirectoryNode parent, String name, @Nullable Node node, Last last, boolean slash) {
  /** What the last part of a path is. */
  enum Last {
    NAME,
    DOT,
    DOT_DOT,
    /** The path consists of slashes. */
    ROOT,
    /** The path is empty: the node it starts from. */
    SELF
  }

  boolean isName() {
    return last == Last.NAME;
  }
}
