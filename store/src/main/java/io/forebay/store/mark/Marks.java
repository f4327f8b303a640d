// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.mark;

import io.forebay.store.index.RecordIndex;
import io.forebay.store.index.RecordTable.State;
import io.forebay.store.log.Mark;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.RecordType;
import io.forebay.store.log.Scope;
import io.forebay.store.segment.Segment;
import io.forebay.store.segment.Segments;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Tombstones and clean marks, and how long they last. A mark is needed until every segment that may
 * physically hold a record of its scope is gone: if it were dropped earlier, the next recovery
 * would revive the record. A mark also stays in force as long as a segment holds a copy of the mark
 * itself: until then the next recovery applies it, so records of its scope must be refused.
 */
public final class Marks {
  /** A mark that is needed, or at least still in the log. */
  public static final class Live {
    final long number;
    final RecordType type;
    public final Mark mark;

    /** The segment where its own record counts. */
    private Segment home;

    private int entry;
    private boolean needed = true;

    /** The segments that may have records of its scopes. */
    private final TreeSet<Long> segments = new TreeSet<>();

    /** The segments with copies of its own record. */
    private final TreeSet<Long> standing = new TreeSet<>();

    Live(long number, RecordType type, Mark mark, Segment home, int entry) {
      this.number = number;
      this.type = type;
      this.mark = mark;
      this.home = home;
      this.entry = entry;
    }

    public Segment home() {
      return home;
    }
  }

  private static final Comparator<Live> OLDEST_FIRST =
      Comparator.<Live>comparingLong(m -> m.mark.age()).thenComparingLong(m -> m.number);

  private final Segments segments;
  private final DeadRecords dead = new DeadRecords();
  private final TreeMap<Long, Live> live = new TreeMap<>();
  private final TreeSet<Live> clean = new TreeSet<>(OLDEST_FIRST);
  private final TreeMap<Long, List<Live>> bySegment = new TreeMap<>();
  private final TreeMap<Long, List<Live>> standingBySegment = new TreeMap<>();

  /** Which segments may hold older copies of the records of a segment. */
  private final TreeMap<Long, Set<Long>> shadows = new TreeMap<>();

  /** Segments that may hold evicted records, which no index knows any more. */
  private final TreeSet<Long> evicted = new TreeSet<>();

  /** Segments that could not be read completely: they may hold any record. */
  private final TreeSet<Long> blemished = new TreeSet<>();

  private RecordSearch.@Nullable Batch<Live> batch;
  private long nextNumber = 1;

  public Marks(Segments segments) {
    this.segments = segments;
  }

  /** Skips numbers that unreadable marks may have. */
  public void skipNumbers() {
    nextNumber += Segments.NUMBERS_SKIPPED;
  }

  /** The number the next mark gets. */
  public long nextNumber() {
    return nextNumber;
  }

  /** Whether a tombstone says that the record counts no longer. */
  public boolean killed(RecordHeader record) {
    return dead.contains(record);
  }

  /** Whether that part of a journal was trimmed or cut off. */
  public boolean killedEntry(long journal, long epoch, long index) {
    return dead.containsEntry(journal, epoch, index);
  }

  /** The mark of that number, if it is still needed. */
  public @Nullable Live byNumber(long number) {
    return live.get(number);
  }

  /**
   * The clean mark of the lowest age whose records have not been evicted yet; the caller evicts
   * them.
   */
  public @Nullable Live pollOldestClean() {
    return clean.pollFirst();
  }

  /** The highest epoch below which entries of a journal are cut, wherever they stand. */
  public long cutEpoch(long journal) {
    return dead.cutEpoch(journal);
  }

  public int count() {
    return live.size();
  }

  /** Applies a mark of the log. */
  public void apply(long number, RecordType type, Mark mark, Segment home, int entry) {
    Live added = new Live(number, type, mark, home, entry);
    live.put(number, added);
    nextNumber = Math.max(nextNumber, number + 1);
    boolean tombstone = type == RecordType.TOMBSTONE;
    if (tombstone) mark.scopes().forEach(dead::add);
    else clean.add(added);
    for (Scope scope : mark.scopes()) {
      if (batch != null && RecordSearch.needsScan(scope, segments)) batch.add(scope, added);
      else matching(scope, at -> touch(added, at));
    }
    for (long segment : blemished) refer(added, segment);
    if (tombstone) {
      for (long segment : evicted) refer(added, segment);
    }
    stands(added, home.number());
    if (batch == null) maybeDrop(added);
  }

  /** From now on marks that must look at every record wait, so that one look does for all. */
  public void beginBatch() {
    batch = new RecordSearch.Batch<>();
  }

  /** Lets the marks that have waited take effect. */
  public void endBatch() {
    RecordSearch.Batch<Live> waiting = batch;
    batch = null;
    if (waiting != null) waiting.search(segments, this::touch);
    for (Live mark : List.copyOf(live.values())) maybeDrop(mark);
  }

  /** A copy of a mark's own record is in that segment too. */
  public void stands(long number, Segment segment) {
    Live mark = live.get(number);
    if (mark != null) stands(mark, segment.number());
  }

  private void stands(Live mark, long segment) {
    if (mark.standing.add(segment)) {
      standingBySegment.computeIfAbsent(segment, n -> new ArrayList<>()).add(mark);
    }
  }

  /** Every record now in the scope, by location; entries of journals leave their index. */
  public void matching(Scope scope, LongConsumer found) {
    switch (scope) {
      case Scope.JournalTail t ->
          segments.journals.removeTail(t.journal(), t.epoch(), t.fromIndex(), found);
      case Scope.JournalHead h -> segments.journals.removeHead(h.journal(), h.beforeIndex(), found);
      case Scope.Records r -> RecordSearch.find(scope, segments, found);
      case Scope.WholeFile f -> RecordSearch.find(scope, segments, found);
      case Scope.WholeInstance w -> RecordSearch.find(scope, segments, found);
    }
  }

  /** A mark's own record now stands elsewhere. */
  public void moved(long number, Segment home, int entry) {
    Live mark = live.get(number);
    if (mark == null) return;
    mark.home = home;
    mark.entry = entry;
  }

  /** The records of a segment have been copied into others; the old copies are still there. */
  public void copied(Segment source, Collection<Segment> targets) {
    Set<Long> older = new TreeSet<>(shadows.getOrDefault(source.number(), Set.of()));
    older.add(source.number());
    List<Live> marks = List.copyOf(bySegment.getOrDefault(source.number(), List.of()));
    for (Segment target : targets) {
      shadows.computeIfAbsent(target.number(), n -> new TreeSet<>()).addAll(older);
      for (Live mark : marks) refer(mark, target.number());
    }
  }

  /** Older copies of records that count in one segment may be in another. */
  public void shadow(Segment newer, Segment older) {
    if (newer == older) return;
    Set<Long> known = shadows.computeIfAbsent(newer.number(), n -> new TreeSet<>());
    known.add(older.number());
    known.addAll(shadows.getOrDefault(older.number(), Set.of()));
  }

  /**
   * Records of that segment were evicted: if they are deleted later, they are still physically
   * there, and their older copies in earlier segments.
   */
  public void evictedFrom(Segment segment) {
    evicted.add(segment.number());
    evicted.addAll(shadows.getOrDefault(segment.number(), Set.of()));
  }

  /** A segment may hold unreadable records. */
  public void blemished(long segment) {
    blemished.add(segment);
  }

  /** A segment is physically gone, on both tiers. */
  public void freed(long segment) {
    blemished.remove(segment);
    evicted.remove(segment);
    shadows.remove(segment);
    for (Set<Long> older : shadows.values()) older.remove(segment);
    for (Live mark : removed(bySegment, segment)) {
      mark.segments.remove(segment);
      maybeDrop(mark);
    }
    for (Live mark : removed(standingBySegment, segment)) {
      mark.standing.remove(segment);
      maybeForget(mark);
    }
  }

  private static List<Live> removed(Map<Long, List<Live>> map, long segment) {
    List<Live> marks = map.remove(segment);
    return marks == null ? List.of() : marks;
  }

  private void touch(Live mark, long location) {
    State to = mark.type == RecordType.TOMBSTONE ? State.DEAD : State.CLEAN;
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

  /** A mark that is needed no longer is not moved any more, so that it goes with its segment. */
  private void maybeDrop(Live mark) {
    if (!mark.needed || !mark.segments.isEmpty()) return;
    mark.needed = false;
    live.remove(mark.number);
    clean.remove(mark);
    mark.home.change(mark.entry, State.DEAD);
    maybeForget(mark);
  }

  private void maybeForget(Live mark) {
    if (mark.needed || !mark.standing.isEmpty() || mark.type != RecordType.TOMBSTONE) return;
    mark.mark.scopes().forEach(dead::remove);
  }
}
