package io.forebay.store;

import io.forebay.store.index.RecordIndex;
import io.forebay.store.index.RecordTable;
import io.forebay.store.index.RecordTable.State;
import io.forebay.store.log.Mark;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.RecordType;
import io.forebay.store.log.Scope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Tombstones and clean marks, and how long they must stay: a mark is needed until every segment in
 * which a record it speaks of may physically stand is gone. Were it dropped earlier, the next
 * recovery would bring the record back to life.
 */
final class Marks {
  /** A mark that is still needed. */
  static final class Live {
    final long number;
    final RecordType type;
    final Mark mark;
    long location;
    boolean evicted;
    private final TreeSet<Long> segments = new TreeSet<>();

    Live(long number, RecordType type, Mark mark, long location) {
      this.number = number;
      this.type = type;
      this.mark = mark;
      this.location = location;
    }
  }

  private static final Comparator<Live> OLDEST_FIRST =
      Comparator.<Live>comparingLong(m -> m.mark.age()).thenComparingLong(m -> m.number);

  private final Segments segments;
  private final DeadRecords dead = new DeadRecords();
  private final TreeMap<Long, Live> live = new TreeMap<>();
  private final TreeSet<Live> clean = new TreeSet<>(OLDEST_FIRST);
  private final TreeMap<Long, List<Live>> bySegment = new TreeMap<>();

  /** Which segments may hold older copies of the records of a segment. */
  private final TreeMap<Long, Set<Long>> shadows = new TreeMap<>();

  /** Segments that could not be read whole: any record may stand there. */
  private final TreeSet<Long> blemished = new TreeSet<>();

  private long nextNumber = 1;

  Marks(Segments segments) {
    this.segments = segments;
  }

  /** The number the next mark gets. */
  long nextNumber() {
    return nextNumber;
  }

  /** Whether a tombstone says that the record counts no longer. */
  boolean killed(RecordHeader record) {
    return dead.contains(record);
  }

  @Nullable Live byNumber(long number) {
    return live.get(number);
  }

  Collection<Live> cleanOldestFirst() {
    return clean;
  }

  /** The highest epoch below which entries of a journal are cut, wherever they stand. */
  long cutEpoch(long journal) {
    long highest = 0;
    for (Live mark : live.values()) {
      for (Scope scope : mark.mark.scopes()) {
        if (scope instanceof Scope.JournalTail tail && tail.journal() == journal) {
          highest = Math.max(highest, tail.epoch());
        }
      }
    }
    return highest;
  }

  int count() {
    return live.size();
  }

  /** Lets a mark that stands in the log take effect. */
  void apply(long number, RecordType type, Mark mark, long location) {
    Live added = new Live(number, type, mark, location);
    live.put(number, added);
    nextNumber = Math.max(nextNumber, number + 1);
    boolean tombstone = type == RecordType.TOMBSTONE;
    if (tombstone) mark.scopes().forEach(dead::add);
    else clean.add(added);
    for (Scope scope : mark.scopes()) {
      matching(scope, at -> touch(added, at, tombstone ? State.DEAD : State.CLEAN));
    }
    for (long segment : blemished) refer(added, segment);
    maybeDrop(added);
  }

  /** Every record now in the scope, by location. */
  void matching(Scope scope, LongConsumer found) {
    switch (scope) {
      case Scope.Records r -> matchingRange(r, found);
      case Scope.WholeFile f ->
          scan(
              (table, entry) ->
                  table.fileNumber(entry) == f.file().number()
                      && table.instance(entry) == f.file().instance(),
              found);
      case Scope.WholeInstance i ->
          scan((table, entry) -> table.instance(entry) == i.instance(), found);
      case Scope.JournalTail t ->
          segments.journals.removeTail(t.journal(), t.epoch(), t.fromIndex(), found);
      case Scope.JournalHead h -> segments.journals.removeHead(h.journal(), h.beforeIndex(), found);
    }
  }

  /** A mark's own record now stands elsewhere. */
  void moved(long number, long location) {
    Live mark = live.get(number);
    if (mark != null) mark.location = location;
  }

  /** The records of a segment have been copied into others; the old copies are still there. */
  void copied(Segment source, Collection<Segment> targets) {
    Set<Long> older = new TreeSet<>(shadows.getOrDefault(source.number(), Set.of()));
    older.add(source.number());
    List<Live> marks = List.copyOf(bySegment.getOrDefault(source.number(), List.of()));
    for (Segment target : targets) {
      shadows.computeIfAbsent(target.number(), n -> new TreeSet<>()).addAll(older);
      for (Live mark : marks) refer(mark, target.number());
    }
  }

  /** A segment may hold records nobody could read. */
  void blemished(long segment) {
    blemished.add(segment);
  }

  /** A segment is physically gone, on both tiers. */
  void freed(long segment) {
    blemished.remove(segment);
    shadows.remove(segment);
    for (Set<Long> older : shadows.values()) older.remove(segment);
    List<Live> marks = bySegment.remove(segment);
    if (marks == null) return;
    for (Live mark : marks) {
      mark.segments.remove(segment);
      maybeDrop(mark);
    }
  }

  private void touch(Live mark, long location, State to) {
    Segment segment = segments.at(location);
    int entry = RecordIndex.entryOf(location);
    State from = segment.table.state(entry);
    if (to == State.CLEAN && from != State.LIVE && from != State.CLEAN) return;
    refer(mark, segment.number());
    for (long older : shadows.getOrDefault(segment.number(), Set.of())) refer(mark, older);
    if (from == to) return;
    segment.change(entry, to);
    if (to == State.CLEAN) return;
    segment.diedAt = segments.stamp;
    if (segment.table.type(entry) == RecordType.DATA) {
      segments.index.remove(segment.table.session(entry), segment.table.sequence(entry));
    }
  }

  private void refer(Live mark, long segment) {
    if (mark.segments.add(segment)) {
      bySegment.computeIfAbsent(segment, n -> new ArrayList<>()).add(mark);
    }
  }

  private void maybeDrop(Live mark) {
    if (!mark.segments.isEmpty()) return;
    live.remove(mark.number);
    if (mark.type == RecordType.TOMBSTONE) mark.mark.scopes().forEach(dead::remove);
    else clean.remove(mark);
    segments.at(mark.location).change(RecordIndex.entryOf(mark.location), State.DEAD);
  }

  private void matchingRange(Scope.Records range, LongConsumer found) {
    long span = range.toSequence() - range.fromSequence();
    if (span < 0 || span > segments.index.size()) {
      scan(
          (table, entry) ->
              table.session(entry) == range.session()
                  && table.sequence(entry) >= range.fromSequence()
                  && table.sequence(entry) <= range.toSequence(),
          found);
      return;
    }
    for (long i = 0; i <= span; i++) {
      long location = segments.index.find(range.session(), range.fromSequence() + i);
      if (location != RecordIndex.ABSENT) found.accept(location);
    }
  }

  private interface EntryTest {
    boolean matches(RecordTable table, int entry);
  }

  private void scan(EntryTest test, LongConsumer found) {
    for (Segment segment : segments.all()) {
      RecordTable table = segment.table;
      for (int entry = 0; entry < table.size(); entry++) {
        if (table.type(entry) == RecordType.DATA
            && counts(table.state(entry))
            && test.matches(table, entry)) {
          found.accept(RecordIndex.location(segment.ordinal, entry));
        }
      }
    }
  }

  private static boolean counts(State state) {
    return state == State.LIVE || state == State.CLEAN || state == State.DAMAGED;
  }
}
