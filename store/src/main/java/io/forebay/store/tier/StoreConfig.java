// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.tier;

import io.forebay.base.ByteSize;
import io.forebay.store.log.RecordLayout;
import io.forebay.store.log.SegmentHeader;

/**
 * The configuration of a store. Validated once; an error names the key.
 *
 * @param mode which tiers there are
 * @param segmentBytes size of every segment
 * @param memoryBytes budget of the memory tier; without one, of the write buffers
 * @param ssdBytes budget of the SSD tier; 0 without one
 * @param verifyMemoryReads whether reads from memory verify checksums too
 */
public record StoreConfig(
    Mode mode, int segmentBytes, long memoryBytes, long ssdBytes, boolean verifyMemoryReads) {
  /** Which tiers keep records. */
  public enum Mode {
    /** Memory only: nothing can be forced. */
    MEMORY,
    /** SSD only: memory is no more than write buffers. */
    SSD,
    /** Memory first; segments that do not fit move to the SSD. */
    HYBRID
  }

  public static final int SEGMENT_BYTES_MIN = 64 * 1024;
  public static final int SEGMENT_BYTES_MAX = 1024 * 1024 * 1024;
  public static final int SEGMENT_BYTES_DEFAULT = 64 * 1024 * 1024;

  /** What ingest must leave, one open segment for each other stream, and one for ingest itself. */
  public static final int SLOTS_MIN = 6;

  /** Memory for write buffers where memory is no tier. */
  public static final int WRITE_BUFFERS = 8;

  /** The minimum number of largest records per segment, so that little is wasted at its end. */
  private static final int RECORDS_PER_SEGMENT_MIN = 4;

  private static final int PAGE_BYTES = 4096;

  public StoreConfig {
    if (segmentBytes < SEGMENT_BYTES_MIN || segmentBytes > SEGMENT_BYTES_MAX) {
      throw new IllegalArgumentException(
          "segment size "
              + ByteSize.format(segmentBytes)
              + " is not between "
              + ByteSize.format(SEGMENT_BYTES_MIN)
              + " and "
              + ByteSize.format(SEGMENT_BYTES_MAX));
    }
    if (segmentBytes % PAGE_BYTES != 0) {
      throw new IllegalArgumentException(
          "segment size " + segmentBytes + " is not a multiple of " + PAGE_BYTES);
    }
    requireSlots("memory budget", memoryBytes, segmentBytes);
    if (mode != Mode.MEMORY) requireSlots("SSD budget", ssdBytes, segmentBytes);
    if (mode == Mode.MEMORY && ssdBytes != 0) {
      throw new IllegalArgumentException("SSD budget given, but the mode is memory only");
    }
  }

  public static StoreConfig memory(int segmentBytes, long memoryBytes) {
    return new StoreConfig(Mode.MEMORY, segmentBytes, memoryBytes, 0, false);
  }

  public static StoreConfig ssd(int segmentBytes, long ssdBytes) {
    return new StoreConfig(
        Mode.SSD, segmentBytes, (long) WRITE_BUFFERS * segmentBytes, ssdBytes, false);
  }

  public static StoreConfig hybrid(int segmentBytes, long memoryBytes, long ssdBytes) {
    return new StoreConfig(Mode.HYBRID, segmentBytes, memoryBytes, ssdBytes, false);
  }

  public boolean hasSsd() {
    return mode != Mode.MEMORY;
  }

  public int memorySlots() {
    return slots(memoryBytes, segmentBytes);
  }

  public int ssdSlots() {
    return slots(ssdBytes, segmentBytes);
  }

  /** The longest payload a record may have. */
  public int payloadBytesMax() {
    return RecordLayout.payloadBytesMax(
        (segmentBytes - SegmentHeader.BYTES) / RECORDS_PER_SEGMENT_MIN);
  }

  private static void requireSlots(String key, long bytes, int segmentBytes) {
    if (bytes < (long) SLOTS_MIN * segmentBytes) {
      throw new IllegalArgumentException(
          key
              + " of "
              + ByteSize.format(bytes)
              + " holds fewer than "
              + SLOTS_MIN
              + " segments of "
              + ByteSize.format(segmentBytes)
              + "; raise it or make segments smaller");
    }
  }

  private static int slots(long bytes, int segmentBytes) {
    return (int) Math.min(bytes / segmentBytes, Integer.MAX_VALUE);
  }
}
