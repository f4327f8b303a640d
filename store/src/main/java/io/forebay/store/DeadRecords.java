package io.forebay.store;

import io.forebay.base.FileId;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the tombstones of a log say of records that are not here: whether one that arrives late
 * counts any more. It must not be taken in, since the next recovery would drop it again.
 */
final class DeadRecords {
  private final Map<Long, Session> sessions = new HashMap<>();
  private final Map<FileId, Integer> files = new HashMap<>();
  private final Map<Integer, Integer> instances = new HashMap<>();

  void add(Scope scope) {
    switch (scope) {
      case Scope.Records range ->
          sessions.computeIfAbsent(range.session(), s -> new Session()).add(range);
      case Scope.WholeFile whole -> files.merge(whole.file(), 1, Integer::sum);
      case Scope.WholeInstance whole -> instances.merge(whole.instance(), 1, Integer::sum);
      case Scope.JournalTail tail -> {}
      case Scope.JournalHead head -> {}
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
      case Scope.JournalTail tail -> {}
      case Scope.JournalHead head -> {}
    }
  }

  boolean contains(RecordHeader record) {
    Session session = sessions.get(record.id().session());
    return (session != null && session.contains(record.id().sequence()))
        || files.containsKey(record.file())
        || instances.containsKey(record.file().instance());
  }

  private static @Nullable Integer fewer(int count) {
    return count == 1 ? null : count - 1;
  }

  /** The dead ranges of one session, merged when they are next asked for. */
  private static final class Session {
    private final List<Scope.Records> ranges = new ArrayList<>();
    private @Nullable NavigableMap<Long, Long> merged;

    void add(Scope.Records range) {
      ranges.add(range);
      merged = null;
    }

    boolean remove(Scope.Records range) {
      ranges.remove(range);
      merged = null;
      return ranges.isEmpty();
    }

    boolean contains(long sequence) {
      NavigableMap<Long, Long> starts = merged;
      if (starts == null) {
        starts = merge();
        merged = starts;
      }
      Map.Entry<Long, Long> below = starts.floorEntry(sequence);
      return below != null && below.getValue() >= sequence;
    }

    private NavigableMap<Long, Long> merge() {
      NavigableMap<Long, Long> starts = new TreeMap<>();
      List<Scope.Records> sorted = new ArrayList<>(ranges);
      sorted.sort((a, b) -> Long.compare(a.fromSequence(), b.fromSequence()));
      long reached = Long.MIN_VALUE;
      long start = Long.MIN_VALUE;
      for (Scope.Records range : sorted) {
        if (starts.isEmpty() || range.fromSequence() > reached) {
          start = range.fromSequence();
          reached = range.toSequence();
        }
        reached = Math.max(reached, range.toSequence());
        starts.put(start, reached);
      }
      return starts;
    }
  }
}
