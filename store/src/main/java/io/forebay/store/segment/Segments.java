// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.segment;

import io.forebay.store.index.HeldBytes;
import io.forebay.store.index.JournalIndex;
import io.forebay.store.index.RecordIndex;
import io.forebay.store.index.RecordTable;
import io.forebay.store.log.LogId;
import io.forebay.store.log.SegmentHeader;
import io.forebay.store.log.Stream;
import io.forebay.store.tier.Slot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** All segments of a log, oldest first, and the indexes over their records. */
public final class Segments {
  /** More numbers than were ever given out between two openings. */
  public static final long NUMBERS_SKIPPED = 1L << 40;

  public final LogId log;
  public final int segmentBytes;
  public final RecordIndex index = new RecordIndex();
  public final JournalIndex journals = new JournalIndex();
  public final HeldBytes held = new HeldBytes();

  private final RandomGenerator random;
  private final TreeMap<Long, Segment> byNumber = new TreeMap<>();
  private final List<@Nullable Segment> byOrdinal = new ArrayList<>();
  private final ArrayDeque<Integer> freeOrdinals = new ArrayDeque<>();
  private final List<Segment> journalled = new ArrayList<>();
  private long nextNumber = 1;

  /**
   * Counts appends to journals and marks. A record that died at a stamp may only be destroyed once
   * everything up to that stamp is forced. Records that recovery finds dead died at 1.
   */
  public long stamp = 1;

  public Segments(LogId log, int segmentBytes, RandomGenerator random) {
    this.log = log;
    this.segmentBytes = segmentBytes;
    this.random = random;
  }

  /** A new segment in those slots, with a number and a generation of its own. */
  Segment create(Stream stream, Slot image, @Nullable Slot file) {
    SegmentHeader header =
        new SegmentHeader(log, nextNumber, random.nextLong(), segmentBytes, stream);
    header.write(image.bytes());
    return add(header, new RecordTable(), image, file);
  }

  /** A segment with the records that are in it. */
  public Segment add(
      SegmentHeader header, RecordTable table, @Nullable Slot image, @Nullable Slot file) {
    Integer reused = freeOrdinals.poll();
    int ordinal = reused == null ? byOrdinal.size() : reused;
    if (ordinal >= RecordIndex.SEGMENTS_MAX) throw new IllegalStateException("too many segments");
    Segment segment = new Segment(ordinal, header, table, held, new Segment.Slots(image, file));
    if (reused == null) byOrdinal.add(segment);
    else byOrdinal.set(ordinal, segment);
    if (byNumber.put(header.number(), segment) != null) {
      throw new IllegalStateException("two segments of number " + header.number());
    }
    index.attach(ordinal, segment.table);
    nextNumber = Math.max(nextNumber, header.number() + 1);
    return segment;
  }

  public void remove(Segment segment) {
    byNumber.remove(segment.number());
    byOrdinal.set(segment.ordinal, null);
    freeOrdinals.add(segment.ordinal);
    index.detach(segment.ordinal);
    segment.state = Segment.State.FREED;
  }

  /** Oldest first. */
  public Collection<Segment> all() {
    return byNumber.values();
  }

  /** The segment holds journal entries or marks from now on. */
  public void markJournalled(Segment segment) {
    if (segment.journalled) return;
    segment.journalled = true;
    journalled.add(segment);
  }

  /** The segment's file is written again from that image; until then nothing in it is forced. */
  public void beginRewrite(Segment segment, Slot image) {
    segment.beginRewrite(image);
    if (segment.journalled && !journalled.contains(segment)) journalled.add(segment);
  }

  /** Segments with journal entries or marks of which some may not be forced. */
  public List<Segment> journalled() {
    journalled.removeIf(s -> s.fileComplete || s.state == Segment.State.FREED);
    return journalled;
  }

  public Segment at(long location) {
    Segment segment = byOrdinal.get(RecordIndex.segmentOf(location));
    if (segment == null) throw new IllegalStateException("no segment at " + location);
    return segment;
  }

  /** The oldest segment behind that number, or null. */
  public @Nullable Segment after(long number) {
    Map.Entry<Long, Segment> next = byNumber.higherEntry(number);
    return next == null ? null : next.getValue();
  }

  public boolean contains(long number) {
    return byNumber.containsKey(number);
  }

  /** Skips numbers that unreadable segments may have. */
  public void skipNumbers() {
    nextNumber += NUMBERS_SKIPPED;
  }

  /** The number the next segment gets. */
  public long nextNumber() {
    return nextNumber;
  }
}
