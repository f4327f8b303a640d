// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.state;

import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.node.NodeTable;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which files are being written, and which were left by a writer that ended without closing them:
 * no restart should treat those as complete. Readers are not known here, nor are sessions that
 * opened a file for writing and have published nothing yet: until then the file is unchanged.
 */
public final class Unfinished {
  /** How many sessions have created or published to a file and not closed it, if any. */
  private final TreeMap<Long, Integer> writers = new TreeMap<>();

  /** Files left unclosed, with the index of the journal entry that recorded it. */
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

  /** The file was emptied, so no unfinished bytes are left. */
  public void emptied(FileNode file) {
    left.remove(file.number());
  }

  /**
   * A session has closed the file. If the session began after the file was left, it has taken over,
   * and the file is finished. A session that wrote at the same time as the lost one does not know
   * what that one did not write.
   */
  public void closed(long file, Session session) {
    forget(file, session);
    Long leftIndex = left.get(file);
    if (leftIndex != null && session.begunIndex > leftIndex) left.remove(file);
  }

  /** A session has released the file without having written everything. */
  public void leave(@Nullable Node file, Session session, long index) {
    if (file == null || !session.unfinished.contains(file.number())) return;
    forget(file.number(), session);
    left.put(file.number(), index);
  }

  private void forget(long file, Session session) {
    if (!session.unfinished.remove(file)) return;
    writers.computeIfPresent(file, (key, count) -> count == 1 ? null : count - 1);
  }

  /** A session has ended: its unclosed files are left. */
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
