// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory.inspect;

import io.forebay.base.FileId;
import io.forebay.store.index.RecordTable;
import io.forebay.store.log.Scope;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Data records that marks name: ranges of sessions, whole files, whole instances. One thread. */
final class ScopeSet {
  private final Map<Long, TreeMap<Long, Long>> ranges = new HashMap<>();
  private final Set<FileId> files = new HashSet<>();
  private final Set<Integer> instances = new HashSet<>();

  /** Adds a scope; scopes of journals name no data record. */
  void add(Scope scope) {
    switch (scope) {
      case Scope.Records records -> add(records);
      case Scope.WholeFile whole -> files.add(whole.file());
      case Scope.WholeInstance whole -> instances.add(whole.instance());
      case Scope.JournalTail tail -> {}
      case Scope.JournalHead head -> {}
    }
  }

  boolean contains(RecordTable table, int entry) {
    if (instances.contains(table.instance(entry))) return true;
    if (!files.isEmpty() && files.contains(table.file(entry))) return true;
    TreeMap<Long, Long> session = ranges.get(table.session(entry));
    if (session == null) return false;
    Map.Entry<Long, Long> below = session.floorEntry(table.sequence(entry));
    return below != null && below.getValue() >= table.sequence(entry);
  }

  /** Keeps the ranges of a session apart: what overlaps becomes one. */
  private void add(Scope.Records records) {
    long from = records.fromSequence();
    long to = records.toSequence();
    if (from > to) return;
    TreeMap<Long, Long> session =
        ranges.computeIfAbsent(records.session(), unknown -> new TreeMap<>());
    Map.Entry<Long, Long> below = session.floorEntry(from);
    if (below != null && below.getValue() >= from) from = below.getKey();
    Map.Entry<Long, Long> next = session.ceilingEntry(from);
    while (next != null && next.getKey() <= to) {
      to = Math.max(to, next.getValue());
      session.remove(next.getKey());
      next = session.ceilingEntry(from);
    }
    session.put(from, to);
  }
}
