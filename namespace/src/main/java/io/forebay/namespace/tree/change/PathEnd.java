// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.change;

import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.Node;
import org.jspecify.annotations.Nullable;

/**
 * The end of a path: a directory, a name in it, and the node of that name.
 *
 * @param parent the directory; for {@link Last#SELF} and {@link Last#ROOT} undefined
 * @param node the node of the name, a symlink itself rather than its target; null if there is none
 * @param slash whether slashes follow the name, so that it must be a directory
 */
public record PathEnd(
    DirectoryNode parent, String name, @Nullable Node node, Last last, boolean slash) {
  /** The kind of the last part of a path. */
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
