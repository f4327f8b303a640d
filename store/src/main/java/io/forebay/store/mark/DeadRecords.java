// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.mark;

import io.forebay.base.FileId;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.Scope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the tombstones of a log say about absent records: whether a record that arrives late is
 * dead. A dead record must be refused, since the next recovery would drop it again.
 */
final class DeadRecords {
  private final Map<Long, Session> sessions = new HashMap<>();
  private final Map<FileId, Integer> files = new HashMap<>();
  private final Map<Integer, Integer> instances = new HashMap<>();
  private final Map<Long, Entries> journals = new HashMap<>();

  /** The deleted entries of one journal. */
  private static final class Entries {
    final List<Scope.JournalHead> heads = new ArrayList<>();
    final List<Scope.JournalTail> tails = new ArrayList<>();
  }

  void add(Scope scope) {
    switch (scope) {
      case Scope.Records range ->
          sessions.computeIfAbsent(range.session(), s -> new Session()).add(range);
      case Scope.WholeFile whole -> files.merge(whole.file(), 1, Integer::sum);
      case Scope.WholeInstance whole -> instances.merge(whole.instance(), 1, Integer::sum);
      case Scope.JournalTail tail -> entries(tail.journal()).tails.add(tail);
      case Scope.JournalHead head -> entries(head.journal()).heads.add(head);
    }
  }

  void remove(Scope scope) {
    switch (scope) {
      case Scope.Records range -> {
        Session session = sessions.get(range.session());
        if (session != null && session.remove(range)) sessions.remove(range.session());
      }
      case Scope.WholeFile whole -> files.computeIfPresent(whole.file(), (k, n) -> fewer(n));
      case Scope.WholeInstance whole ->
          instances.computeIfPresent(whole.instance(), (k, n) -> fewer(n));
      case Scope.JournalTail tail -> entries(tail.journal()).tails.remove(tail);
      case Scope.JournalHead head -> entries(head.journal()).heads.remove(head);
    }
  }

  /** Whether an entry of a journal is before its head or in a tail that was cut off. */
  boolean containsEntry(long journal, long epoch, long index) {
    Entries entries = journals.get(journal);
    if (entries == null) return false;
    for (Scope.JournalHead head : entries.heads) {
      if (index < head.beforeIndex()) return true;
    }
    for (Scope.JournalTail tail : entries.tails) {
      if (index >= tail.fromIndex() && epoch < tail.epoch()) return true;
    }
    return false;
  }

  /** The highest epoch below which a tail of the journal was cut off, or 0. */
  long cutEpoch(long journal) {
    Entries entries = journals.get(journal);
    if (entries == null) return 0;
    return entries.tails.stream().mapToLong(Scope.JournalTail::epoch).max().orElse(0);
  }

  private Entries entries(long journal) {
    return journals.computeIfAbsent(journal, j -> new Entries());
  }

  boolean contains(RecordHeader record) {
    if (sessions.isEmpty() && files.isEmpty() && instances.isEmpty()) return false;
    Session session = sessions.get(record.id().session());
    return (session != null && session.contains(record.id().sequence()))
        || files.containsKey(record.file())
        || instances.containsKey(record.file().instance());
  }

  private static @Nullable Integer fewer(int count) {
    return count == 1 ? null : count - 1;
  }

  /** The dead ranges of one session: all of them, and merged into runs for looking up. */
  private static final class Session {
    private static final Comparator<Scope.Records> BY_START =
        Comparator.comparingLong(Scope.Records::fromSequence)
            .thenComparingLong(Scope.Records::toSequence);

    private final NavigableMap<Scope.Records, Integer> ranges = new TreeMap<>(BY_START);

    /** Start and end of each run of dead sequences. */
    private final NavigableMap<Long, Long> runs = new TreeMap<>();

    void add(Scope.Records range) {
      ranges.merge(range, 1, Integer::sum);
      merge(range);
    }

    /** Takes a range away, and says whether it was the last. */
    boolean remove(Scope.Records range) {
      ranges.computeIfPresent(range, (k, n) -> fewer(n));
      Map.Entry<Long, Long> run = runs.floorEntry(range.fromSequence());
      if (run != null && !ranges.containsKey(range)) {
        // The run is rebuilt from its remaining entries.
        runs.remove(run.getKey());
        long session = range.session();
        Scope.Records first = new Scope.Records(session, run.getKey(), Long.MIN_VALUE);
        Scope.Records last = new Scope.Records(session, run.getValue(), Long.MAX_VALUE);
        for (Scope.Records left : ranges.subMap(first, true, last, true).keySet()) merge(left);
      }
      return ranges.isEmpty();
    }

    boolean contains(long sequence) {
      Map.Entry<Long, Long> below = runs.floorEntry(sequence);
      return below != null && below.getValue() >= sequence;
    }

    private void merge(Scope.Records range) {
      long from = range.fromSequence();
      long to = range.toSequence();
      Map.Entry<Long, Long> below = runs.floorEntry(to);
      while (below != null && below.getValue() >= from) {
        from = Math.min(from, below.getKey());
        to = Math.max(to, below.getValue());
        runs.remove(below.getKey());
        below = runs.floorEntry(to);
      }
      runs.put(from, to);
    }
  }
}
