// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory.inspect;

import io.forebay.base.FileId;
import io.forebay.store.index.JournalIndex;
import io.forebay.store.index.RecordIndex;
import io.forebay.store.index.RecordTable;
import io.forebay.store.index.RecordTable.State;
import io.forebay.store.log.Mark;
import io.forebay.store.log.RecordType;
import io.forebay.store.log.Scope;
import io.forebay.store.recovery.Finding;
import io.forebay.store.recovery.SegmentScan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes a picture of a log from the scans of its slots: joins the two copies of a segment, counts
 * each record once, and applies the marks. It follows the recovery of a store, except that a mark
 * always counts, even if the records that it names are gone. Pure; one thread.
 */
final class LogAssembly {
  /** A segment as found in one slot, and where in their files its data records belong. */
  static final class Scanned {
    private final SegmentScan scan;
    private final long[] offsets;
    private final int sound;

    /** Takes the offsets over, one for each entry of the scan's table. */
    Scanned(SegmentScan scan, long[] offsets) {
      this.scan = scan;
      this.offsets = offsets;
      this.sound = soundRecords(scan.table());
    }

    private static int soundRecords(RecordTable table) {
      int sound = 0;
      for (int entry = 0; entry < table.size(); entry++) {
        if (table.state(entry) == State.LIVE) sound++;
      }
      return sound;
    }
  }

  private static final class Joined {
    @Nullable Scanned image;
    @Nullable Scanned file;

    /** The copy with more sound records; the image if they are alike. */
    Scanned best() {
      Scanned inMemory = image;
      Scanned onSsd = file;
      if (inMemory == null && onSsd == null) throw new IllegalStateException("found nowhere");
      if (inMemory == null) return Objects.requireNonNull(onSsd);
      return onSsd != null && onSsd.sound > inMemory.sound ? onSsd : inMemory;
    }

    @Nullable Scanned other() {
      return best() == image ? file : image;
    }

    RecordTable table() {
      return best().scan.table();
    }

    long number() {
      long inMemory = image == null ? 0 : image.scan.header().number();
      return inMemory != 0 || file == null ? inMemory : file.scan.header().number();
    }
  }

  private final TreeMap<Long, Joined> byGeneration = new TreeMap<>();
  private final RecordIndex index = new RecordIndex();
  private final JournalIndex journals = new JournalIndex();
  private final ScopeSet dead = new ScopeSet();
  private final ScopeSet clean = new ScopeSet();
  private final List<Joined> ordered = new ArrayList<>();
  private final List<Finding> problems = new ArrayList<>();
  private final List<Finding> notes = new ArrayList<>();

  void addMemory(Scanned image) {
    joined(image).image = image;
  }

  void addSsd(Scanned file) {
    joined(file).file = file;
  }

  void addUnknown(Finding finding) {
    problems.add(finding);
  }

  /** To be called once, when every slot was added. */
  LogInspection assemble(LogInspection.Identity identity, List<LogInspection.Tier> tiers) {
    ordered.addAll(byGeneration.values());
    // Salvaged segments have lost their number; they come last.
    ordered.sort(
        Comparator.<Joined>comparingLong(j -> j.number() == 0 ? Long.MAX_VALUE : j.number())
            .thenComparingLong(j -> j.best().scan.header().generation()));
    for (int ordinal = 0; ordinal < ordered.size(); ordinal++) enter(ordinal);
    applyMarks();
    return new LogInspection(identity, tiers, segments(), files(), problems, notes);
  }

  private Joined joined(Scanned scanned) {
    return byGeneration.computeIfAbsent(
        scanned.scan.header().generation(), generation -> new Joined());
  }

  private void enter(int ordinal) {
    Joined joined = ordered.get(ordinal);
    problems.addAll(joined.best().scan.findings());
    Scanned other = joined.other();
    if (other != null) {
      notes.addAll(other.scan.findings());
      mend(joined.table(), other.scan.table());
    }
    RecordTable table = joined.table();
    index.attach(ordinal, table);
    for (int entry = 0; entry < table.size(); entry++) {
      State state = table.state(entry);
      boolean sound = state == State.LIVE;
      RecordType type = table.type(entry);
      if (type == RecordType.DATA && (sound || state == State.DAMAGED)) enterData(ordinal, entry);
      if (type == RecordType.JOURNAL && sound) enterJournal(ordinal, entry);
    }
  }

  /** A record that is damaged in one copy and intact in the other counts as intact. */
  private static void mend(RecordTable best, RecordTable other) {
    for (int entry = 0; entry < best.size(); entry++) {
      if (best.state(entry) != State.DAMAGED) continue;
      int copy = other.at(best.position(entry));
      if (copy >= 0 && other.state(copy) == State.LIVE) best.state(entry, State.LIVE);
    }
  }

  /** An intact copy wins over a damaged one; among intact copies, the older wins. */
  private void enterData(int ordinal, int entry) {
    RecordTable table = table(ordinal);
    long session = table.session(entry);
    long sequence = table.sequence(entry);
    long standing = index.find(session, sequence);
    if (standing != RecordIndex.ABSENT) {
      if (table.state(entry) != State.LIVE || stateAt(standing) != State.DAMAGED) {
        table.state(entry, State.DEAD);
        return;
      }
      kill(standing);
    }
    index.put(session, sequence, RecordIndex.location(ordinal, entry));
  }

  private void enterJournal(int ordinal, int entry) {
    RecordTable table = table(ordinal);
    long standing = journals.epoch(table.fileNumber(entry), table.sequence(entry));
    if (standing >= table.session(entry)) {
      table.state(entry, State.DEAD);
      return;
    }
    long replaced =
        journals.put(
            table.fileNumber(entry),
            table.session(entry),
            table.sequence(entry),
            RecordIndex.location(ordinal, entry));
    if (replaced != JournalIndex.ABSENT) kill(replaced);
  }

  private void applyMarks() {
    Set<Long> numbers = new HashSet<>();
    for (Joined joined : ordered) {
      RecordTable table = joined.table();
      for (SegmentScan.FoundMark found : joined.best().scan.marks()) {
        boolean first = numbers.add(table.sequence(found.entry()));
        if (first) apply(table.type(found.entry()), found.mark());
        else table.state(found.entry(), State.DEAD);
      }
    }
    for (Joined joined : ordered) judge(joined.table());
  }

  private void apply(RecordType type, Mark mark) {
    ScopeSet named = type == RecordType.TOMBSTONE ? dead : clean;
    for (Scope scope : mark.scopes()) {
      named.add(scope);
      if (type != RecordType.TOMBSTONE) continue;
      if (scope instanceof Scope.JournalTail tail) {
        journals.removeTail(tail.journal(), tail.epoch(), tail.fromIndex(), this::kill);
      } else if (scope instanceof Scope.JournalHead head) {
        journals.removeHead(head.journal(), head.beforeIndex(), this::kill);
      }
    }
  }

  private void judge(RecordTable table) {
    for (int entry = 0; entry < table.size(); entry++) {
      State state = table.state(entry);
      if (table.type(entry) != RecordType.DATA) continue;
      if (state != State.LIVE && state != State.DAMAGED) continue;
      if (dead.contains(table, entry)) table.state(entry, State.DEAD);
      else if (state == State.LIVE && clean.contains(table, entry)) table.state(entry, State.CLEAN);
    }
  }

  private List<LogInspection.Segment> segments() {
    List<LogInspection.Segment> segments = new ArrayList<>();
    for (Joined joined : ordered) segments.add(segment(joined));
    return segments;
  }

  private static LogInspection.Segment segment(Joined joined) {
    SegmentTally tally = new SegmentTally(joined.table());
    return new LogInspection.Segment(
        joined.number(),
        joined.image != null,
        joined.file != null,
        joined.best().scan.header().stream(),
        tally.data(),
        tally.journal(),
        tally.marks(),
        tally.bytes(),
        joined.best().scan.tail());
  }

  private List<LogInspection.File> files() {
    TreeMap<FileId, LogInspection.File> files = new TreeMap<>();
    for (Joined joined : ordered) {
      RecordTable table = joined.table();
      long[] offsets = joined.best().offsets;
      for (int entry = 0; entry < table.size(); entry++) {
        State state = table.state(entry);
        boolean counts = state == State.LIVE || state == State.CLEAN;
        if (table.type(entry) != RecordType.DATA) continue;
        if (!counts && state != State.DAMAGED) continue;
        long payload = table.payloadBytes(entry);
        LogInspection.File one =
            counts
                ? new LogInspection.File(
                    table.file(entry), 1, payload, offsets[entry], offsets[entry] + payload, 0)
                : new LogInspection.File(table.file(entry), 0, 0, Long.MAX_VALUE, 0, 1);
        files.merge(one.file(), one, LogAssembly::sum);
      }
    }
    return List.copyOf(files.values());
  }

  private static LogInspection.File sum(LogInspection.File a, LogInspection.File b) {
    return new LogInspection.File(
        a.file(),
        a.records() + b.records(),
        a.bytes() + b.bytes(),
        Math.min(a.fromOffset(), b.fromOffset()),
        Math.max(a.toOffset(), b.toOffset()),
        a.damaged() + b.damaged());
  }

  private RecordTable table(int ordinal) {
    return ordered.get(ordinal).table();
  }

  private State stateAt(long location) {
    return table(RecordIndex.segmentOf(location)).state(RecordIndex.entryOf(location));
  }

  private void kill(long location) {
    table(RecordIndex.segmentOf(location)).state(RecordIndex.entryOf(location), State.DEAD);
  }
}
