// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.state;

import io.forebay.namespace.set.SequenceSet;
import java.util.TreeMap;

/**
 * The records of a tree's files, by session: also of sessions that ended long ago, because a group
 * that lost track of its garbage asks which records count.
 */
public final class LiveRecords {
  private final TreeMap<Long, SequenceSet> bySession = new TreeMap<>();

  public void add(long session, long sequence) {
    bySession.computeIfAbsent(session, s -> new SequenceSet()).add(sequence);
  }

  public void remove(long session, long sequence) {
    SequenceSet sequences = bySession.get(session);
    if (sequences == null || !sequences.remove(sequence)) {
      throw new IllegalStateException("record " + session + "/" + sequence + " died twice");
    }
    if (sequences.isEmpty()) bySession.remove(session);
  }

  public boolean contains(long session, long sequence) {
    SequenceSet sequences = bySession.get(session);
    return sequences != null && sequences.contains(sequence);
  }
}
