// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.state;

import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.node.NodeTable;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which files are being written, and which were left by a writer who went without closing them: no
 * restart should take those for complete. Somebody who only reads a file is not known here, nor
 * somebody who has opened a file for writing and has published nothing yet: until then the file is
 * what it was before.
 */
public final class Unfinished {
  /** How many sessions have made or published into a file and not closed it, if any. */
  private final TreeMap<Long, Integer> writers = new TreeMap<>();

  /** Files that somebody left, and the index of the entry by which it was known. */
  public final TreeMap<Long, Long> left = new TreeMap<>();

  public boolean isWritten(FileNode file) {
    return writers.containsKey(file.number());
  }

  public boolean isLeft(FileNode file) {
    return left.containsKey(file.number());
  }

  /** A session has made the file, or published into it without closing it. */
  public void begun(long file, Session session) {
    if (session.unfinished.add(file)) writers.merge(file, 1, Integer::sum);
  }

  /** Nothing is left of what somebody may not have finished. */
  public void emptied(FileNode file) {
    left.remove(file.number());
  }

  /**
   * A session has closed the file. If it began after the file was left it has taken over: one that
   * wrote beside the other knows nothing of what that one did not write.
   */
  public void closed(long file, Session session) {
    forget(file, session);
    Long leftIndex = left.get(file);
    if (leftIndex != null && session.begunIndex > leftIndex) left.remove(file);
  }

  /** A session has let go of the file, and could not write all that it wanted. */
  public void leave(@Nullable Node file, Session session, long index) {
    if (file == null || !session.unfinished.contains(file.number())) return;
    forget(file.number(), session);
    left.put(file.number(), index);
  }

  private void forget(long file, Session session) {
    if (!session.unfinished.remove(file)) return;
    writers.computeIfPresent(file, (key, count) -> count == 1 ? null : count - 1);
  }

  /** A session is over: what it had not closed is left. */
  public void ended(Session session, NodeTable nodes, long index) {
    for (long file : session.unfinished) {
      writers.computeIfPresent(file, (key, count) -> count == 1 ? null : count - 1);
      if (nodes.get(file) != null) left.put(file, index);
    }
    session.unfinished.clear();
  }

  /** A file is gone from the tree. */
  public void gone(FileNode file) {
    left.remove(file.number());
  }
}
