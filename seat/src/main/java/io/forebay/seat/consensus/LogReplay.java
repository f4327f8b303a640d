// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus;

import io.forebay.base.Bytes;
import io.forebay.base.fields.MalformedFields;
import io.forebay.store.Store;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Slice;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log from the store: the newest complete snapshot and the commands after it, up to the
 * first gap. Entries behind a gap were never acknowledged, since entries are answered in order, and
 * are cut off; a gap among entries that were safe once is a {@link BrokenLog}.
 */
final class LogReplay {
  /** A command at its place. */
  record Command(long index, Bytes content) {}

  private final Store store;
  private final long journal;

  /** Whether a broken log is read as far as it is sound. */
  private final boolean broken;

  private final TreeMap<Long, LogEntry> entries = new TreeMap<>();
  private final List<Command> commands = new ArrayList<>();
  private @Nullable Bytes snapshot;
  private long epoch;
  private long safeBefore;
  private long firstIndex;
  private long nextIndex;
  private long entriesCut;

  private LogReplay(Store store, long journal, boolean broken) {
    this.store = store;
    this.journal = journal;
    this.broken = broken;
  }

  /** Blocks while it reads. */
  static LogReplay read(Store store, long journal) throws BrokenLog {
    LogReplay replay = new LogReplay(store, journal, false);
    replay.readEntries();
    replay.assemble();
    replay.requireWhole();
    replay.cut();
    return replay;
  }

  /** The same of a log that may be broken, up to the first gap; changes nothing. */
  static LogReplay readSound(Store store, long journal) throws BrokenLog {
    LogReplay replay = new LogReplay(store, journal, true);
    replay.readEntries();
    replay.assemble();
    return replay;
  }

  /** Whether committed entries are lost, as far as the others tell. */
  boolean isBroken() {
    return nextIndex < safeBefore;
  }

  @Nullable Bytes snapshot() {
    return snapshot;
  }

  List<Command> commands() {
    return commands;
  }

  /** In which epoch to go on. */
  long epoch() {
    return epoch;
  }

  long safeBefore() {
    return safeBefore;
  }

  /** The first index that is needed. */
  long firstIndex() {
    return firstIndex;
  }

  long nextIndex() {
    return nextIndex;
  }

  long entriesCut() {
    return entriesCut;
  }

  private void readEntries() throws BrokenLog {
    epoch = Math.max(1, store.journalEpochMin(journal));
    long last = store.journalLast(journal);
    for (long index = Math.max(0, store.journalFirst(journal)); index <= last; index++) {
      if (store.journalEpoch(journal, index) < 0) continue;
      LogEntry entry = broken ? entryOrNull(index) : readEntry(index);
      if (entry == null) continue;
      entries.put(index, entry);
      epoch = Math.max(epoch, store.journalEpoch(journal, index));
      safeBefore = Math.max(safeBefore, entry.safeBefore());
    }
  }

  private @Nullable LogEntry entryOrNull(long index) {
    try {
      return readEntry(index);
    } catch (BrokenLog unreadable) {
      // A gap, as if it were not there.
      safeBefore = Math.max(safeBefore, index + 1);
      return null;
    }
  }

  private LogEntry readEntry(long index) throws BrokenLog {
    List<ReadResult> results = new ArrayList<>(1);
    store.readJournal(journal, index, results::add);
    while (results.isEmpty()) store.poll();
    if (!(results.getFirst() instanceof ReadResult.Bytes bytes)) {
      throw new BrokenLog("entry " + index + " of the log: " + results.getFirst());
    }
    try (Slice slice = bytes.slice()) {
      return LogEntry.decode(slice.bytes().duplicate());
    } catch (MalformedFields malformed) {
      throw new BrokenLog("entry " + index + " of the log is malformed", malformed);
    }
  }

  private void assemble() {
    firstIndex = findSnapshot();
    for (nextIndex = firstIndex; ; nextIndex++) {
      LogEntry entry = entries.get(nextIndex);
      if (entry == null) break;
      if (entry.isCommand()) commands.add(new Command(nextIndex, entry.content()));
    }
  }

  private void requireWhole() throws BrokenLog {
    if (!isBroken()) return;
    throw new BrokenLog("entry " + nextIndex + " of the log was committed and is lost");
  }

  /** Finds the newest whole snapshot; without one the log must begin with its first entry. */
  private long findSnapshot() {
    for (long index : entries.descendingKeySet()) {
      LogEntry entry = entries.get(index);
      if (entry == null || entry.parts() == 0 || entry.part() > 0) continue;
      Bytes whole = joined(index, entry.parts());
      if (whole == null) continue;
      snapshot = whole;
      return index;
    }
    return 0;
  }

  private @Nullable Bytes joined(long from, int parts) {
    int length = 0;
    for (int part = 0; part < parts; part++) {
      LogEntry entry = entries.get(from + part);
      if (entry == null || entry.parts() != parts || entry.part() != part) return null;
      length += entry.content().length();
    }
    ByteBuffer whole = ByteBuffer.allocate(length);
    for (int part = 0; part < parts; part++) {
      LogEntry entry = entries.get(from + part);
      if (entry != null) whole.put(entry.content().asBuffer());
    }
    return Bytes.copyOf(whole.flip());
  }

  private void cut() throws BrokenLog {
    if (entries.isEmpty() || entries.lastKey() < nextIndex) return;
    long last = entries.lastKey();
    epoch++;
    entriesCut = last - nextIndex + 1;
    List<Scope> tail = List.of(new Scope.JournalTail(journal, epoch, nextIndex));
    // The store was just opened: its first free segments may still be on their way.
    while (store.kill(tail, Level.KEPT, answer -> {}) == Commit.FULL) {
      if (!store.poll()) throw new BrokenLog("no room to cut the log's tail at " + nextIndex);
    }
  }
}
