// SPDX-License-Identifier: Apache-2.0

package io.forebay.store;

import io.forebay.store.disk.Blocking;
import io.forebay.store.disk.Disk;
import io.forebay.store.index.RecordIndex;
import io.forebay.store.index.RecordTable;
import io.forebay.store.index.RecordTable.State;
import io.forebay.store.log.RecordType;
import io.forebay.store.log.SegmentHeader;
import io.forebay.store.log.Stream;
import io.forebay.store.mark.Marks;
import io.forebay.store.recovery.Finding;
import io.forebay.store.recovery.LogMismatch;
import io.forebay.store.recovery.RecoveryReport;
import io.forebay.store.recovery.SegmentScan;
import io.forebay.store.recovery.SlotScanner;
import io.forebay.store.segment.Segment;
import io.forebay.store.segment.Segments;
import io.forebay.store.tier.Slot;
import io.forebay.store.tier.SlotPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Recovers a log: scans both tiers, joins the image and the file of each segment, and enters the
 * records into the indexes. Of two copies of a record, left by an interrupted move, one counts.
 * Every recovered segment is sealed.
 */
final class Recovery {
  /** One segment as found on either tier. */
  private static final class Found {
    @Nullable Slot image;
    @Nullable Slot file;
    @Nullable SegmentScan imageScan;
    @Nullable SegmentScan fileScan;

    SegmentScan scan() {
      SegmentScan scan = imageScan != null ? imageScan : fileScan;
      if (scan == null) throw new IllegalStateException("a segment found nowhere");
      return scan;
    }
  }

  private record PendingMark(RecordType type, SegmentScan.FoundMark found, Segment segment) {
    long number() {
      return segment.table.sequence(found.entry());
    }
  }

  private final Segments segments;
  private final Marks marks;
  private final SlotPool memory;
  private final @Nullable SlotPool ssd;
  private final SlotScanner scanner;
  private final TreeMap<Long, Found> byGeneration = new TreeMap<>();
  private final List<PendingMark> pendingMarks = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();
  private long findingsCount;
  private long unknownSlots;
  private long bytes;
  private long voids;
  private long duplicates;
  private long journalEntries;

  Recovery(Segments segments, Marks marks, SlotPool memory, @Nullable SlotPool ssd) {
    this.segments = segments;
    this.marks = marks;
    this.memory = memory;
    this.ssd = ssd;
    this.scanner = new SlotScanner(segments.log, segments.segmentBytes);
  }

  /** Reads every slot. Changes nothing but slots that were never finished. */
  void scan(StoreOpening.Volumes volumes) throws IOException, LogMismatch {
    SlotPool ssdPool = ssd;
    if (ssdPool != null && volumes.ssd() != null) scanSsd(ssdPool, volumes.ssd());
    for (SlotPool.Place place : volumes.memory()) {
      if (place.lasting()) scanMemory(place);
    }
  }

  /** Builds the segments and indexes from the scans. */
  RecoveryReport assemble() throws IOException {
    List<Found> ordered = new ArrayList<>(byGeneration.values());
    if (unknownSlots > 0 || ordered.stream().anyMatch(f -> f.scan().unreadable())) {
      // A slot that is unreadable now may be readable at the next opening: its numbers must not be
      // reused meanwhile.
      segments.skipNumbers();
      marks.skipNumbers();
    }
    // Salvaged segments have lost their number; they come last and get a new one.
    ordered.sort(
        Comparator.<Found>comparingLong(f -> number(f) == 0 ? Long.MAX_VALUE : number(f))
            .thenComparingLong(f -> f.scan().header().generation()));
    int inMemory = 0;
    for (Found found : ordered) {
      if (found.image != null) inMemory++;
      enter(found);
    }
    pendingMarks.sort(Comparator.comparingLong(PendingMark::number));
    marks.beginBatch();
    for (PendingMark pending : pendingMarks) applyMark(pending);
    marks.endBatch();
    return new RecoveryReport(
        inMemory,
        ordered.size() - inMemory,
        segments.index.size(),
        journalEntries,
        voids,
        duplicates,
        bytes,
        findings,
        findingsCount);
  }

  private void scanSsd(SlotPool pool, Disk disk) throws IOException, LogMismatch {
    for (Disk.FileEntry entry : disk.list()) {
      if (!pool.owns(entry.name())) continue;
      Slot slot = new Slot(disk, entry.name(), true, null);
      bytes += entry.bytes();
      switch (scanner.scan(disk, entry)) {
        case SlotScanner.Content.Free free -> takeFree(pool, slot, entry.bytes());
        case SlotScanner.Content.Segment segment -> {
          pool.adopt(slot);
          Found found = found(segment.scan());
          found.file = slot;
          found.fileScan = segment.scan();
        }
        case SlotScanner.Content.Unknown unknown -> {
          // The content is unknown: the slot is neither used nor deleted. Since its records may
          // become readable again, no mark is dropped meanwhile.
          pool.adopt(slot);
          report(unknown.finding());
          marks.blemished(- ++unknownSlots);
        }
      }
    }
  }

  private void scanMemory(SlotPool.Place place) throws IOException, LogMismatch {
    for (Disk.FileEntry entry : place.disk().list()) {
      if (!memory.owns(entry.name())) continue;
      if (entry.bytes() != segments.segmentBytes) {
        Blocking.call(place.disk(), done -> place.disk().delete(entry.name(), done));
        continue;
      }
      if (Blocking.call(place.disk(), done -> place.disk().map(entry.name(), done))
          instanceof Disk.Outcome.Failure failure) {
        throw new IOException(
            "cannot map %s in %s: %s"
                .formatted(entry.name(), place.description(), failure.detail()));
      }
      ByteBuffer image = place.disk().mapped(entry.name());
      Slot slot = new Slot(place.disk(), entry.name(), true, image);
      bytes += entry.bytes();
      switch (scanner.scan(entry.name(), image)) {
        case SlotScanner.Content.Free free -> takeFree(memory, slot, entry.bytes());
        case SlotScanner.Content.Segment segment -> {
          memory.adopt(slot);
          Found found = found(segment.scan());
          found.image = slot;
          found.imageScan = segment.scan();
        }
        case SlotScanner.Content.Unknown unknown -> {
          report(unknown.finding());
          takeFree(memory, slot, entry.bytes());
        }
      }
    }
  }

  /** Takes a slot in which no segment is; one that was never finished goes. */
  private void takeFree(SlotPool pool, Slot slot, long slotBytes) {
    if (slotBytes != segments.segmentBytes) {
      Blocking.call(slot.disk(), done -> slot.disk().delete(slot.name(), done));
      return;
    }
    if (slot.memory() != null) SegmentHeader.clear(slot.bytes());
    pool.adopt(slot);
    pool.give(slot);
  }

  private Found found(SegmentScan scan) {
    return byGeneration.computeIfAbsent(scan.header().generation(), g -> new Found());
  }

  private static long number(Found found) {
    SegmentScan image = found.imageScan;
    SegmentScan file = found.fileScan;
    return Math.max(
        image == null ? 0 : image.header().number(), file == null ? 0 : file.header().number());
  }

  private void enter(Found found) throws IOException {
    repairImage(found);
    SegmentScan scan = found.scan();
    boolean numberLost = number(found) == 0 || segments.contains(number(found));
    long number = numberLost ? segments.nextNumber() : number(found);
    SegmentHeader was = scan.header();
    SegmentHeader header =
        new SegmentHeader(was.log(), number, was.generation(), was.segmentBytes(), was.stream());
    Segment segment = segments.add(header, scan.table(), found.image, found.file);
    segment.state = Segment.State.SEALED;
    segment.tail = scan.tail();
    if (found.image != null && scan.sound()) segment.noteSeal();
    scan.findings().forEach(this::report);
    if (!scan.sound()) {
      segment.blemished = true;
      marks.blemished(number);
    }
    // A segment whose bytes may become readable again is neither emptied nor freed.
    segment.unreadable = scan.unreadable();
    segment.stuck = scan.unreadable();
    if (found.image == null) segment.writtenEntries = scan.table().size();
    if (segment.header.stream() != Stream.INGEST) segments.markJournalled(segment);
    enterRecords(segment);
    for (SegmentScan.FoundMark mark : scan.marks()) {
      pendingMarks.add(new PendingMark(scan.table().type(mark.entry()), mark, segment));
    }
  }

  /**
   * Takes records that the image lacks or has damaged from the file, if they are sound there. It
   * lacks some when its place is no memory after all and the power went.
   */
  private void repairImage(Found found) throws IOException {
    SegmentScan image = found.imageScan;
    SegmentScan file = found.fileScan;
    if (image == null || file == null || found.image == null) return;
    Slot from = found.file;
    if (from == null) return;
    boolean mended = false;
    for (int entry = 0; entry < file.table().size(); entry++) {
      if (file.table().state(entry) != State.LIVE) continue;
      int position = file.table().position(entry);
      int inImage = image.table().at(position);
      if (inImage >= 0 && image.table().state(inImage) == State.LIVE) continue;
      ByteBuffer target = found.image.bytes().slice(position, file.table().recordBytes(entry));
      from.disk().readNow(from.name(), position, target);
      mended = true;
    }
    if (!mended) return;
    found.imageScan = SegmentScan.of(image.slot(), image.header(), found.image.bytes());
  }

  private void enterRecords(Segment segment) {
    RecordTable table = segment.table;
    for (int entry = 0; entry < table.size(); entry++) {
      State state = table.state(entry);
      if (state == State.VOID) voids++;
      if (state == State.LIVE) segment.found(entry);
      if (state != State.LIVE && state != State.DAMAGED) continue;
      switch (table.type(entry)) {
        case DATA -> enterData(segment, entry, state);
        case JOURNAL -> {
          if (state == State.LIVE) enterJournal(segment, entry);
        }
        // Applied once all records are known.
        case TOMBSTONE, CLEAN -> {}
      }
    }
  }

  private void enterData(Segment segment, int entry, State state) {
    RecordTable table = segment.table;
    long session = table.session(entry);
    long sequence = table.sequence(entry);
    long location = RecordIndex.location(segment.ordinal, entry);
    long standing = segments.index.find(session, sequence);
    if (standing == RecordIndex.ABSENT) {
      segments.index.put(session, sequence, location);
      return;
    }
    Segment other = segments.at(standing);
    int otherEntry = RecordIndex.entryOf(standing);
    // An intact copy wins over a damaged one; among intact copies, the older wins.
    if (state == State.LIVE && other.table.state(otherEntry) == State.DAMAGED) {
      other.change(otherEntry, State.DEAD);
      segments.index.put(session, sequence, location);
      marks.copied(other, List.of(segment));
    } else {
      segment.change(entry, State.DEAD);
      marks.copied(segment, List.of(other));
      if (state == State.LIVE) duplicate(other, segment);
    }
  }

  /**
   * Two segments hold the same record, since a move was interrupted. Which copy is safer is
   * unknown: the new one may not have been forced yet, and the file of the old one may be suspect.
   * So the copy that does not count stays until the other has been moved and forced.
   */
  private void duplicate(Segment counting, Segment copy) {
    duplicates++;
    if (counting.file == null && copy.file == null) return;
    counting.evacuate = true;
    if (!copy.copiesOf.contains(counting)) copy.copiesOf.add(counting);
  }

  private void enterJournal(Segment segment, int entry) {
    RecordTable table = segment.table;
    long journal = table.fileNumber(entry);
    long epoch = table.session(entry);
    long index = table.sequence(entry);
    long standing = segments.journals.location(journal, index);
    if (standing == RecordIndex.ABSENT) {
      segments.journals.put(journal, epoch, index, RecordIndex.location(segment.ordinal, entry));
      journalEntries++;
      return;
    }
    // The higher epoch counts; of two copies the older, as with data.
    Segment other = segments.at(standing);
    if (epoch > segments.journals.epoch(journal, index)) {
      segments.journals.put(journal, epoch, index, RecordIndex.location(segment.ordinal, entry));
      other.change(RecordIndex.entryOf(standing), State.DEAD);
      marks.copied(other, List.of(segment));
    } else {
      boolean same = epoch == segments.journals.epoch(journal, index);
      segment.change(entry, State.DEAD);
      marks.copied(segment, List.of(other));
      if (same) duplicate(other, segment);
    }
  }

  private void applyMark(PendingMark pending) {
    Segment segment = pending.segment;
    int entry = pending.found.entry();
    Marks.Live standing = marks.byNumber(pending.number());
    if (standing != null) {
      segment.change(entry, State.DEAD);
      marks.stands(pending.number(), segment);
      duplicate(standing.home(), segment);
      return;
    }
    marks.apply(pending.number(), pending.type, pending.found.mark(), segment, entry);
  }

  private void report(Finding finding) {
    findingsCount++;
    if (findings.size() < RecoveryReport.FINDINGS_MAX) findings.add(finding);
  }
}
