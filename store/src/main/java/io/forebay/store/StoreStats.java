package io.forebay.store;

/**
 * What a store holds and has done.
 *
 * @param recordsIndexed data records that can be read
 * @param liveBytes bytes in the log that must be kept, record overhead included
 * @param cleanBytes bytes kept as cache
 */
public record StoreStats(
    long recordsIndexed,
    int segments,
    int memorySlotsUnused,
    int memorySlotsMax,
    int ssdSlotsUnused,
    int ssdSlotsMax,
    long liveBytes,
    long cleanBytes,
    long indexBytes,
    Counters counters) {
  /** Counted since the store was opened. */
  public record Counters(
      long forces,
      long segmentsFreed,
      long spills,
      long evictedBytes,
      long relocatedBytes,
      long damagedRecords,
      long suspectSegments,
      long marks) {}

  static StoreStats of(Segments segments, Room room, Counters counters) {
    long live = 0;
    long clean = 0;
    for (Segment segment : segments.all()) {
      live += segment.liveBytes;
      clean += segment.cleanBytes;
    }
    return new StoreStats(
        segments.index.size(),
        segments.all().size(),
        room.memory.unused(),
        room.memory.slotsMax(),
        room.ssd == null ? 0 : room.ssd.unused(),
        room.ssd == null ? 0 : room.ssd.slotsMax(),
        live,
        clean,
        segments.index.memoryBytes(),
        counters);
  }
}
