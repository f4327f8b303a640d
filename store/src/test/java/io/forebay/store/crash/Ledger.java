// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.crash;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.crash.LedgerLine.Upkeep;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What workloads told of one log: which records and files must be there, which must not, and which
 * may. A crash leaves open what was not acknowledged; {@link LogCheck} looks and settles it here.
 */
final class Ledger {
  /** How a workload came to its end. */
  enum Crash {
    /** The process alone died: all that was acknowledged is promised. */
    KILL,
    /** What was not forced may be gone, or back. */
    POWER_CUT
  }

  /** A record as the ledger knows it. */
  static final class Entry {
    final RecordId id;
    final int payloadBytes;
    private final Level level;
    private boolean acknowledged;
    private boolean published;

    /** May be evicted, or was never promised to survive what happened since. */
    private boolean mayGo;

    private boolean killIntended;
    private @Nullable Level killed;

    /** What was said of it, for people. */
    private final List<String> history = new ArrayList<>();

    private Entry(RecordId id, int payloadBytes, Level level) {
      this.id = id;
      this.payloadBytes = payloadBytes;
      this.level = level;
    }

    String history() {
      return String.join("; ", history);
    }

    /** Whether its kill was acknowledged. */
    boolean mustBeAbsent() {
      return killed != null;
    }

    /** Whether it was acknowledged, and nothing said since could have let it go. */
    boolean mustBePresent() {
      return acknowledged && !mayGo && !killIntended && !mustBeAbsent();
    }
  }

  private final TreeMap<RecordId, Entry> entries = new TreeMap<>();
  private final Map<Long, LedgerLine.Intent> pending = new HashMap<>();

  /** What the files are known to be, and what was done to them since, in order. */
  private Map<FileId, FileImage> files = new TreeMap<>();

  private final List<LedgerLine.Intent> changes = new ArrayList<>();
  private final Set<Long> changesAcknowledged = new HashSet<>();
  private @Nullable Upkeep upkeep;
  private long acknowledgements;
  private int crashes;

  void accept(LedgerLine line) {
    switch (line) {
      case LedgerLine.Ready r -> {}
      case LedgerLine.Begin b -> upkeep = b.upkeep();
      case LedgerLine.End e -> upkeep = null;
      case LedgerLine.Intent i -> intended(i);
      case LedgerLine.Outcome o -> ended(o);
    }
  }

  /** Which upkeep has begun and not ended. */
  @Nullable Upkeep upkeep() {
    return upkeep;
  }

  long acknowledgements() {
    return acknowledgements;
  }

  List<Entry> entries() {
    return List.copyOf(entries.values());
  }

  @Nullable Entry entry(RecordId id) {
    return entries.get(id);
  }

  /** Records that count and that no file shows or showed. */
  List<Scope.Records> unpublished() {
    List<Scope.Records> unpublished = new ArrayList<>();
    for (Entry entry : entries.values()) {
      if (entry.published || entry.mustBeAbsent()) continue;
      unpublished.add(single(entry.id));
    }
    return unpublished;
  }

  /** Takes back what a crash of that kind may have undone. */
  void crashed(Crash crash) {
    upkeep = null;
    crashes++;
    if (crash == Crash.KILL) return;
    changesAcknowledged.removeIf(number -> changeOf(number).level() == Level.KEPT);
    for (Entry entry : entries.values()) {
      if (entry.level == Level.KEPT) entry.mayGo = true;
      if (entry.killed == Level.KEPT) {
        entry.killed = null;
        entry.killIntended = true;
      }
    }
  }

  /**
   * What the files may be, each by how many of the changes are done. Changes take effect in order,
   * so all before the last that is promised are.
   */
  Map<Integer, Map<FileId, FileImage>> possibleFiles() {
    int promised = 0;
    for (int i = 0; i < changes.size(); i++) {
      if (changesAcknowledged.contains(changes.get(i).number())) promised = i + 1;
    }
    Map<Integer, Map<FileId, FileImage>> possible = new TreeMap<>();
    for (int done = promised; done <= changes.size(); done++) possible.put(done, filesAfter(done));
    return possible;
  }

  /** Takes note that so many changes are done and the others are not. */
  void settleFiles(int done) {
    for (LedgerLine.Intent change : changes.subList(0, done)) {
      if (change.act() instanceof Act.Publish publish) entry(publish).published = true;
    }
    files = filesAfter(done);
    changes.clear();
    changesAcknowledged.clear();
    pending.clear();
    Set<RecordId> shown = new HashSet<>();
    for (FileImage file : files.values()) {
      for (FileImage.Extent extent : file.extents()) shown.add(extent.record());
    }
    // The files kill what they show no longer, when they come to it.
    for (Entry entry : entries.values()) {
      if (entry.published && !shown.contains(entry.id)) entry.mayGo = true;
    }
  }

  /** Takes note of whether a record was found. */
  void settle(Entry entry, boolean present) {
    if (present) {
      entry.acknowledged = true;
      entry.killIntended = false;
    } else if (!entry.mayGo && !entry.mustBeAbsent()) {
      entries.remove(entry.id);
    }
  }

  private void intended(LedgerLine.Intent intent) {
    pending.put(intent.number(), intent);
    switch (intent.act()) {
      case Act.Write w ->
          entries.put(w.record(), new Entry(w.record(), w.payloadBytes(), intent.level()));
      case Act.Kill k -> within(k.records()).forEach(entry -> entry.killIntended = true);
      case Act.Clean c -> within(c.records()).forEach(entry -> entry.mayGo = true);
      case Act.CleanFile c -> shownBy(c.file()).forEach(entry -> entry.mayGo = true);
      case Act.Publish p -> changes.add(intent);
      case Act.Truncate t -> changes.add(intent);
      case Act.Delete d -> changes.add(intent);
    }
    note(intent, intent.text());
  }

  private void ended(LedgerLine.Outcome outcome) {
    LedgerLine.Intent intent = pending.remove(outcome.number());
    if (intent == null) throw new IllegalArgumentException("nothing intended before " + outcome);
    note(intent, outcome.text());
    switch (outcome.ending()) {
      case ACKNOWLEDGED -> acknowledged(intent);
      case REFUSED -> changes.remove(intent);
      case FAILED -> {}
    }
  }

  private void acknowledged(LedgerLine.Intent intent) {
    acknowledgements++;
    if (intent.act().changesFile()) changesAcknowledged.add(intent.number());
    switch (intent.act()) {
      case Act.Write w -> entries.get(w.record()).acknowledged = true;
      case Act.Kill k -> within(k.records()).forEach(entry -> killed(entry, intent));
      default -> {}
    }
  }

  /** Writes down with the records an act names what was said of it. */
  private void note(LedgerLine.Intent intent, String text) {
    Scope.Records records =
        switch (intent.act()) {
          case Act.Write w -> single(w.record());
          case Act.Kill k -> k.records();
          case Act.Clean c -> c.records();
          case Act.Publish p -> single(p.record());
          default -> null;
        };
    if (records == null) return;
    for (Entry entry : within(records)) entry.history.add("process " + crashes + ": " + text);
  }

  private static Scope.Records single(RecordId id) {
    return new Scope.Records(id.session(), id.sequence(), id.sequence());
  }

  /** Records that came after the kill was intended are not meant, though in its range. */
  private static void killed(Entry entry, LedgerLine.Intent kill) {
    if (entry.killIntended) entry.killed = kill.level();
  }

  private Iterable<Entry> within(Scope.Records records) {
    RecordId from = new RecordId(records.session(), records.fromSequence());
    RecordId to = new RecordId(records.session(), records.toSequence());
    return entries.subMap(from, true, to, true).values();
  }

  private List<Entry> shownBy(FileId file) {
    FileImage image = filesAfter(changes.size()).get(file);
    List<Entry> shown = new ArrayList<>();
    if (image == null) return shown;
    for (FileImage.Extent extent : image.extents()) shown.add(entries.get(extent.record()));
    return shown;
  }

  private Map<FileId, FileImage> filesAfter(int done) {
    Map<FileId, FileImage> after = FileImage.copy(files);
    for (LedgerLine.Intent change : changes.subList(0, done)) {
      FileImage.apply(change.act(), after);
    }
    return after;
  }

  private Entry entry(Act.Publish publish) {
    Entry entry = entries.get(publish.record());
    if (entry == null) throw new IllegalArgumentException("never written: " + publish);
    return entry;
  }

  private LedgerLine.Intent changeOf(long number) {
    for (LedgerLine.Intent change : changes) {
      if (change.number() == number) return change;
    }
    throw new IllegalStateException("no change " + number);
  }
}
