// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.backed;

import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.node.NodeWalk;
import java.util.TreeMap;

/**
 * Which directories of the backing store have been looked into. One that has not been stands here
 * without its names, so nothing that depends on them may be done before it has.
 */
public final class ListedDirectories {
  /** Whether all that the store holds is shown, and not only what was drained to it. */
  public boolean over;

  /** Directories to look into, by number; true for those that have been, and are to be again. */
  public final TreeMap<Long, Boolean> unseen = new TreeMap<>();

  /** How many names of a directory are not shown, for those that have such. */
  public final TreeMap<Long, Integer> leftOut = new TreeMap<>();

  public void show(DirectoryNode root) {
    over = true;
    unseen.put(root.number(), false);
  }

  /** Refuses to go on with a directory whose names are not known. */
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
    // The store cannot be asked for those whose path is too long, and has nothing of them.
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
