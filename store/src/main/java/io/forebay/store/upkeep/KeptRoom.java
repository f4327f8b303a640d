// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.upkeep;

import io.forebay.store.log.SegmentHeader;
import io.forebay.store.segment.SlotReserve;
import io.forebay.store.tier.StoreConfig;

/**
 * How many user bytes a store keeps for certain, whatever was written and deleted before. Of each
 * tier:
 *
 * <ol>
 *   <li>Ingest has the segments that the other streams leave (P20).
 *   <li>A part of them goes to journals and marks that do not fit into their reserve.
 *   <li>Segments are emptied only when they are less full than {@link Housekeeper#COMPACT_BELOW}:
 *       no more of them can be relied on. The rest is dead records, and ends that are too short for
 *       a record.
 *   <li>Records have headers and checksums.
 * </ol>
 *
 * <p>Records much shorter than {@link #RECORD_BYTES} take a larger part for their headers. Pure.
 */
public final class KeptRoom {
  /** One in so many segments is for journals and marks; at least one. */
  private static final int JOURNAL_SHARE = 16;

  /** Records of this size have {@link #OVERHEAD_SHARE} for headers at most. */
  static final int RECORD_BYTES = 16 * 1024;

  private static final int OVERHEAD_SHARE = 64;

  private KeptRoom() {}

  /** In all tiers together. */
  public static long bytes(StoreConfig config) {
    return switch (config.mode()) {
      case MEMORY -> bytes(config.memorySlots(), config);
      case SSD -> bytes(config.ssdSlots(), config);
      case HYBRID -> bytes(config.memorySlots(), config) + bytes(config.ssdSlots(), config);
    };
  }

  /** On the SSD. */
  public static long forcedBytes(StoreConfig config) {
    return config.hasSsd() ? bytes(config.ssdSlots(), config) : 0;
  }

  private static long bytes(int slots, StoreConfig config) {
    int ingest = SlotReserve.forIngest(slots);
    long segments = Math.max(0, ingest - Math.max(1, ingest / JOURNAL_SHARE));
    long filled =
        (long) ((config.segmentBytes() - SegmentHeader.BYTES) * Housekeeper.COMPACT_BELOW);
    return segments * (filled - filled / OVERHEAD_SHARE);
  }
}
