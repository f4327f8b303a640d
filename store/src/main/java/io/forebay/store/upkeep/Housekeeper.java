// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.upkeep;

import io.forebay.store.index.RecordIndex;
import io.forebay.store.index.RecordTable.State;
import io.forebay.store.log.Scope;
import io.forebay.store.log.SegmentHeader;
import io.forebay.store.log.Stream;
import io.forebay.store.mark.Marks;
import io.forebay.store.segment.Appender;
import io.forebay.store.segment.Segment;
import io.forebay.store.segment.Segments;
import io.forebay.store.segment.SlotReserve;
import io.forebay.store.tier.StoreConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps room: frees dead segments, spills the oldest segments ({@link Spill}), evicts the oldest
 * clean data when the last tier runs short, and compacts segments with few live bytes. Runs inside
 * the store's poll, a bounded step at a time.
 */
public final class Housekeeper {
  /** Under pressure, segments of which less than this share counts are emptied. */
  static final double COMPACT_BELOW = 0.75;

  /** An open segment is sealed for the sake of room when this share of a segment in it is dead. */
  private static final int DEAD_SHARE_SEALED = 8;

  private final SlotReserve room;
  private final Segments segments;
  private final Appender appender;
  private final Spill spill;
  private final Freeing freeing;
  private final Compactor compactor;
  private final Rewriting rewriting;
  private final Marks marks;
  private long evictedBytes;

  public Housekeeper(
      LogParts parts, Spill spill, Freeing freeing, Compactor compactor, Rewriting rewriting) {
    this.room = parts.room();
    this.segments = parts.segments();
    this.appender = parts.appender();
    this.marks = parts.marks();
    this.spill = spill;
    this.freeing = freeing;
    this.compactor = compactor;
    this.rewriting = rewriting;
  }

  public void maintain() {
    room.memory.maintain();
    if (room.ssd != null) room.ssd.maintain();
    for (Segment segment : segments.all().toArray(Segment[]::new)) {
      if (Freeing.possible(segment)) freeing.free(segment);
    }
    freeing.maintain();
    spill.step();
    shrink();
    // One relief at a time: the pending one may already be enough.
    if (!compactor.busy() && !rewriting.busy()) relieve();
    compactor.step();
  }

  /**
   * Evicts at least this many bytes of clean data, oldest first; returns the number of evicted
   * bytes.
   */
  public long evict(long wantedBytes) {
    long before = evictedBytes;
    while (evictedBytes - before < wantedBytes && evictOldest()) {}
    return evictedBytes - before;
  }

  public long evictedBytes() {
    return evictedBytes;
  }

  /** Gives memory back that is beyond the budget, as after a restart with a smaller one. */
  private void shrink() {
    if (room.memory.surplus() == 0) return;
    for (Segment segment : segments.all()) {
      if (room.memory.surplus() == 0) break;
      if (segment.imageDroppable()) room.dropImage(segment);
    }
    room.memory.shrink(StoreConfig.SLOTS_MIN);
  }

  private void relieve() {
    Segment stranded = room.exhausted() ? rewriting.stranded() : null;
    if (stranded != null) {
      rewriting.start(stranded);
      return;
    }
    boolean shortOfRoom = lastTierShort();
    Segment source = worthCompacting(shortOfRoom);
    if (source != null) {
      compactor.start(source);
    } else if (shortOfRoom && !freeing.busy() && !evictOldest()) {
      sealWhatIsMostlyDead();
    }
  }

  /**
   * Open segments of journals and moved records hold on to slots, and to marks; let them be
   * emptied.
   */
  private void sealWhatIsMostlyDead() {
    for (Stream stream : List.of(Stream.JOURNAL, Stream.RELOCATION)) {
      Segment segment = appender.active(stream);
      if (segment == null) continue;
      long dead = segment.tail - SegmentHeader.BYTES - segment.liveBytes - segment.cleanBytes;
      if (dead > segment.header.segmentBytes() / DEAD_SHARE_SEALED) appender.seal(segment);
    }
  }

  /** The segment with the lowest utilization that can be emptied, or null. */
  public @Nullable Segment emptiest() {
    Segment emptiest = null;
    for (Segment segment : segments.all()) {
      if (!canBeEmptied(segment)) continue;
      if (emptiest == null || segment.utilization() < emptiest.utilization()) emptiest = segment;
    }
    return emptiest;
  }

  /** Whether there is something in the segment to be moved, and nothing against it. */
  private boolean canBeEmptied(Segment segment) {
    return segment.sealedAndFilled()
        && !segment.flushing
        && !segment.stuck
        && !compactor.tooSoon(segment)
        && !segment.empty();
  }

  /** Whether the tier that data cannot leave but by draining has no slot left for ingest. */
  private boolean lastTierShort() {
    return (room.ssd == null ? room.memory : room.ssd).unused()
        <= SlotReserve.leaves(Stream.INGEST) + 1;
  }

  private boolean evictOldest() {
    long before = evictedBytes;
    Marks.Live mark = marks.pollOldestClean();
    while (mark != null) {
      for (Scope scope : mark.mark.scopes()) marks.matching(scope, this::evictAt);
      if (evictedBytes > before) return true;
      mark = marks.pollOldestClean();
    }
    return false;
  }

  private void evictAt(long location) {
    Segment segment = segments.at(location);
    int entry = RecordIndex.entryOf(location);
    if (segment.table.state(entry) != State.CLEAN) return;
    evictedBytes += segment.table.recordBytes(entry);
    giveUp(location);
  }

  /** A record no longer counts here, although no mark says so. */
  public void giveUp(long location) {
    Segment segment = segments.at(location);
    int entry = RecordIndex.entryOf(location);
    segment.change(entry, State.DEAD);
    segment.diedAt = segments.stamp;
    marks.evictedFrom(segment);
    segments.index.remove(segment.table.session(entry), segment.table.sequence(entry));
  }

  private @Nullable Segment worthCompacting(boolean shortOfRoom) {
    boolean memoryShort = room.memory.unused() <= SlotReserve.leaves(Stream.INGEST) + 1;
    Segment best = null;
    for (Segment segment : segments.all()) {
      if (!canBeEmptied(segment)) continue;
      if (segment.suspect || segment.blemished || segment.evacuate) return segment;
      boolean relevant = segment.file != null ? shortOfRoom : memoryShort;
      if (!relevant || segment.utilization() >= COMPACT_BELOW) continue;
      if (best == null || segment.utilization() < best.utilization()) best = segment;
    }
    return best;
  }
}
