// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.upkeep;

import io.forebay.store.log.Stream;
import io.forebay.store.record.Level;
import io.forebay.store.segment.Flusher;
import io.forebay.store.segment.Segment;
import io.forebay.store.segment.Segments;
import io.forebay.store.segment.SlotReserve;
import io.forebay.store.tier.StoreConfig;

/**
 * Spill: the oldest sealed segments in memory get a file on the SSD and a force. Afterwards their
 * image may be dropped, which {@link SlotReserve} does when it needs the slot. Called by the
 * store's owner.
 */
public final class Spill {
  /** Spill begins when fewer than this share of the memory slots are available at once. */
  private static final int SPILL_SHARE = 4;

  private static final int SPILLS_MAX = 2;

  private final StoreConfig config;
  private final SlotReserve room;
  private final Segments segments;
  private final Flusher flusher;
  private long started;

  public Spill(StoreConfig config, LogParts parts) {
    this.config = config;
    this.room = parts.room();
    this.segments = parts.segments();
    this.flusher = parts.flusher();
  }

  /** Starts as many spills as memory needs, at most {@link #SPILLS_MAX} at a time. */
  void step() {
    if (!config.hasSsd()) return;
    int available = room.memory.unused();
    int spilling = 0;
    for (Segment segment : segments.all()) {
      if (segment.imageDroppable() || segment.sealing) available++;
      if (segment.spilling) spilling++;
    }
    int wanted = slotsWanted();
    for (Segment segment : segments.all()) {
      if (available + spilling >= wanted || spilling >= SPILLS_MAX) return;
      if (start(segment)) spilling++;
    }
  }

  /** Starts to spill the oldest segment that can be, and says whether there was one. */
  public boolean startOldest() {
    if (!config.hasSsd()) return false;
    for (Segment segment : segments.all()) {
      if (start(segment)) return true;
    }
    return false;
  }

  /** How many spills were started since the store was opened. */
  public long started() {
    return started;
  }

  /** How many memory slots should be free, or soon be. */
  private int slotsWanted() {
    // Without a memory tier images are only write buffers, and each goes as soon as it can.
    int wanted =
        config.mode() == StoreConfig.Mode.SSD
            ? config.memorySlots()
            : SlotReserve.leaves(Stream.INGEST)
                + Math.max(SPILLS_MAX, config.memorySlots() / SPILL_SHARE);
    // A budget that became smaller asks for as many images more.
    return wanted + room.memory.surplus();
  }

  private boolean start(Segment segment) {
    if (segment.image == null || segment.fileComplete || segment.suspect || segment.spilling) {
      return false;
    }
    if (!segment.sealedAndFilled() || !room.giveFile(segment)) return false;
    segment.spilling = true;
    started++;
    flusher.want(segment, Level.FORCED, answer -> segment.spilling = false);
    return true;
  }
}
