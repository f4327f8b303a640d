// SPDX-License-Identifier: Apache-2.0

package io.forebay.store;

import io.forebay.base.latency.Latencies;
import io.forebay.store.mark.Marks;
import io.forebay.store.segment.Flusher;
import io.forebay.store.segment.Segment;
import io.forebay.store.segment.Segments;
import io.forebay.store.segment.SlotReserve;
import io.forebay.store.tier.SlotPool;
import io.forebay.store.upkeep.Compactor;
import io.forebay.store.upkeep.Freeing;
import io.forebay.store.upkeep.Housekeeper;
import io.forebay.store.upkeep.Spill;
import org.jspecify.annotations.Nullable;

/**
 * The contents and counters of a store.
 *
 * @param recordsIndexed data records that can be read
 * @param liveBytes bytes in the log that must be kept, record overhead included
 * @param cleanBytes bytes kept as cache
 * @param forces how long forces of the log took
 */
public record StoreStats(
    long recordsIndexed,
    int segments,
    Tier memory,
    Tier ssd,
    long liveBytes,
    long cleanBytes,
    long indexBytes,
    Counters counters,
    Latencies forces) {
  /**
   * The slots of a tier.
   *
   * @param ready made and free
   * @param unused free or yet to be made, within the budget
   * @param max the budget
   * @param missing slots of the budget that no place has room for
   * @param dying slots that die with the process
   */
  public record Tier(int ready, int unused, int max, int missing, int dying) {
    static Tier of(@Nullable SlotPool pool) {
      return pool == null
          ? new Tier(0, 0, 0, 0, 0)
          : new Tier(
              pool.free(), pool.unused(), pool.slotsMax(), pool.missing(), pool.existingDying());
    }
  }

  /** Counted since the store was opened. */
  public record Counters(
      long forces,
      long segmentsFreed,
      long spills,
      long evictedBytes,
      long relocatedBytes,
      long damagedRecords,
      long suspectSegments,
      long marks,
      long ssdBytes) {}

  static Counters counted(
      Flusher flusher,
      Freeing freeing,
      Spill spill,
      Housekeeper housekeeper,
      Compactor compactor,
      Marks marks,
      FoundDamage damage,
      long suspectSegments) {
    return new Counters(
        flusher.forces(),
        freeing.freed(),
        spill.started(),
        housekeeper.evictedBytes(),
        compactor.movedBytes(),
        damage.count(),
        suspectSegments,
        marks.count(),
        flusher.writes().totalBytes());
  }

  static StoreStats of(Segments segments, SlotReserve room, Counters counters, Latencies forces) {
    long live = 0;
    long clean = 0;
    for (Segment segment : segments.all()) {
      live += segment.liveBytes;
      clean += segment.cleanBytes;
    }
    return new StoreStats(
        segments.index.size(),
        segments.all().size(),
        Tier.of(room.memory),
        Tier.of(room.ssd),
        live,
        clean,
        segments.index.memoryBytes(),
        counters,
        forces);
  }
}
