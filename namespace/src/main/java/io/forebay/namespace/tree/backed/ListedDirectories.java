// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.backed;

import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.node.NodeWalk;
import java.util.TreeMap;

/**
 * Which directories of the backing store have been listed. An unlisted directory is in the tree
 * without its names, so operations that depend on them must wait.
 */
public final class ListedDirectories {
  /** Whether the tree shows all files of the store, and not only drained ones. */
  public boolean over;

  /** Directories to list, by number; true if they were listed before and are to be listed again. */
  public final TreeMap<Long, Boolean> unseen = new TreeMap<>();

  /** The number of hidden names per directory, where there are any. */
  public final TreeMap<Long, Integer> leftOut = new TreeMap<>();

  public void show(DirectoryNode root) {
    over = true;
    unseen.put(root.number(), false);
  }

  /** Refuses to use a directory whose names are unknown. */
  public void require(DirectoryNode directory) throws DirectoryNotListed {
    if (!unseen.isEmpty() && unseen.containsKey(directory.number()))
      throw new DirectoryNotListed(directory);
  }

  /** The same for all that are at or below a node. */
  public void requireBelow(Node node) throws DirectoryNotListed {
    if (unseen.isEmpty()) return;
    NodeWalk walk = new NodeWalk(node);
    while (walk.hasNext()) {
      if (walk.next() instanceof DirectoryNode directory) require(directory);
    }
  }

  /** All directories at or below this one are to be looked at again. */
  public void lookAgain(DirectoryNode directory) {
    // The store cannot list directories whose path is too long, and has none of them.
    for (NodeWalk.Located each : NodeWalk.directories(directory, directory.path())) {
      boolean asked = !DirectoryNode.isTooLong(each.path());
      if (asked) unseen.putIfAbsent(each.directory().number(), true);
    }
  }

  /** All names of a directory are known. */
  public void seen(long directory, int leftOutNow) {
    unseen.remove(directory);
    if (leftOutNow > 0) leftOut.put(directory, leftOutNow);
    else if (leftOutNow == 0) leftOut.remove(directory);
  }

  public void removed(DirectoryNode directory) {
    unseen.remove(directory.number());
    leftOut.remove(directory.number());
  }

  /** How many names are not shown in all. */
  public long leftOut() {
    long sum = 0;
    for (int each : leftOut.values()) sum += each;
    return sum;
  }
}
