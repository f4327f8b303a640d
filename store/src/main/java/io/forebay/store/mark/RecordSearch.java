// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.mark;

import io.forebay.base.FileId;
import io.forebay.store.index.RecordIndex;
import io.forebay.store.index.RecordTable;
import io.forebay.store.index.RecordTable.State;
import io.forebay.store.log.RecordType;
import io.forebay.store.log.Scope;
import io.forebay.store.segment.Segment;
import io.forebay.store.segment.Segments;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** Finds the data records of a scope: by index, or by a full scan. */
final class RecordSearch {
  private RecordSearch() {}

  /** Whether it pays to look for several such at once. */
  static boolean needsScan(Scope scope, Segments segments) {
    return switch (scope) {
      case Scope.Records range -> isWide(range, segments);
      case Scope.WholeFile file -> true;
      case Scope.WholeInstance instance -> true;
      case Scope.JournalTail tail -> false;
      case Scope.JournalHead head -> false;
    };
  }

  private static boolean isWide(Scope.Records range, Segments segments) {
    long span = range.toSequence() - range.fromSequence();
    return span < 0 || span > segments.index.size();
  }

  static void find(Scope scope, Segments segments, LongConsumer found) {
    if (scope instanceof Scope.Records range && !isWide(range, segments)) {
      // Counted, not compared, since the last sequence may be the highest there is.
      long span = range.toSequence() - range.fromSequence();
      for (long i = 0; i <= span; i++) {
        long location = segments.index.find(range.session(), range.fromSequence() + i);
        if (location != RecordIndex.ABSENT) found.accept(location);
      }
    } else if (scope instanceof Scope.WholeFile file) {
      for (Segment segment : segments.all()) findOf(file.file(), segment, found);
    } else {
      Batch<Scope> batch = new Batch<>();
      batch.add(scope, scope);
      batch.search(segments, (owner, location) -> found.accept(location));
    }
  }

  private static void findOf(FileId file, Segment segment, LongConsumer found) {
    segment.table.entriesOf(
        file,
        entry -> {
          if (counts(segment.table, entry)) {
            found.accept(RecordIndex.location(segment.ordinal, entry));
          }
        });
  }

  private static boolean counts(RecordTable table, int entry) {
    if (table.type(entry) != RecordType.DATA) return false;
    State state = table.state(entry);
    return state == State.LIVE || state == State.CLEAN || state == State.DAMAGED;
  }

  /** Gets each record with the owner of its scope. */
  interface Visitor<T> {
    void found(T owner, long location);
  }

  /** Several scopes with their owners, for one scan of all records. */
  static final class Batch<T> {
    private record Range<T>(long from, long to, T owner) {}

    private final Map<Long, List<Range<T>>> sessions = new HashMap<>();
    private final Map<FileId, List<T>> files = new HashMap<>();
    private final Map<Integer, List<T>> instances = new HashMap<>();

    void add(Scope scope, T owner) {
      switch (scope) {
        case Scope.Records r ->
            sessions
                .computeIfAbsent(r.session(), s -> new ArrayList<>())
                .add(new Range<>(r.fromSequence(), r.toSequence(), owner));
        case Scope.WholeFile f ->
            files.computeIfAbsent(f.file(), k -> new ArrayList<>()).add(owner);
        case Scope.WholeInstance i ->
            instances.computeIfAbsent(i.instance(), k -> new ArrayList<>()).add(owner);
        case Scope.JournalTail t -> throw new IllegalArgumentException("not of data: " + t);
        case Scope.JournalHead h -> throw new IllegalArgumentException("not of data: " + h);
      }
    }

    void search(Segments segments, Visitor<T> visitor) {
      if (sessions.isEmpty() && files.isEmpty() && instances.isEmpty()) return;
      for (Segment segment : segments.all()) {
        RecordTable table = segment.table;
        for (int entry = 0; entry < table.size(); entry++) {
          if (!counts(table, entry)) continue;
          visit(table, entry, RecordIndex.location(segment.ordinal, entry), visitor);
        }
      }
    }

    private void visit(RecordTable table, int entry, long location, Visitor<T> visitor) {
      for (Range<T> range : sessions.getOrDefault(table.session(entry), List.of())) {
        long sequence = table.sequence(entry);
        if (sequence >= range.from && sequence <= range.to) visitor.found(range.owner, location);
      }
      if (!files.isEmpty()) {
        for (T owner : files.getOrDefault(table.file(entry), List.of())) {
          visitor.found(owner, location);
        }
      }
      for (T owner : instances.getOrDefault(table.instance(entry), List.of())) {
        visitor.found(owner, location);
      }
    }
  }
}
