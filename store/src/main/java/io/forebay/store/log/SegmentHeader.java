// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The first block of a segment: its log, its number, which is never reused, and its random
 * generation, which every record in it repeats. A freed segment has zeros here, so that nothing
 * behind it counts.
 *
 * <pre>
 *   magic        u64
 *   crc          u32   CRC32C of the fields below
 *   version      u32
 *   logHigh,Low  u64   the log's id
 *   number       u64
 *   generation   u64
 *   segmentBytes u32
 *   stream       u32   {@link Stream}
 *   sealCrc      u32   CRC32C of the generation and the two fields below; 0 while records may come
 *   sealEntries  u32   how many records there are
 *   sealFilled   u32   how many of them were filled; all bits set while some may still be
 * </pre>
 */
public record SegmentHeader(
    LogId log, long number, long generation, int segmentBytes, Stream stream) {
  /** The possible states of a segment's first block. */
  public sealed interface Parsed {
    /** Zeros: the segment is free. */
    record Free() implements Parsed {}

    record Valid(SegmentHeader header) implements Parsed {}

    /**
     * Written by a later version of this program, so that its records cannot be interpreted here.
     */
    record Newer(int version) implements Parsed {}

    record Broken() implements Parsed {}
  }

  /**
   * The contents of a sealed segment, which takes no further records.
   *
   * @param entries the number of records, void ones included
   * @param filled how many were filled; {@link #UNKNOWN} while reservations are open
   */
  public record Seal(int entries, int filled) {
    public static final int UNKNOWN = -1;
  }

  /** Records start here; one page, so that the header is never torn. */
  public static final int BYTES = 4096;

  public static final int VERSION = 1;
  static final long MAGIC = 0x464f524542415953L; // "FOREBAYS"

  private static final int MAGIC_OFFSET = 0;
  private static final int CRC_OFFSET = MAGIC_OFFSET + Long.BYTES;
  private static final int VERSION_OFFSET = CRC_OFFSET + Integer.BYTES;
  private static final int LOG_OFFSET = VERSION_OFFSET + Integer.BYTES;
  private static final int NUMBER_OFFSET = LOG_OFFSET + LogId.BYTES;
  private static final int GENERATION_OFFSET = NUMBER_OFFSET + Long.BYTES;
  private static final int SEGMENT_BYTES_OFFSET = GENERATION_OFFSET + Long.BYTES;
  private static final int STREAM_OFFSET = SEGMENT_BYTES_OFFSET + Integer.BYTES;
  private static final int END = STREAM_OFFSET + Integer.BYTES;
  private static final int SEAL_CRC_OFFSET = END;
  private static final int SEAL_ENTRIES_OFFSET = SEAL_CRC_OFFSET + Integer.BYTES;
  private static final int SEAL_FILLED_OFFSET = SEAL_ENTRIES_OFFSET + Integer.BYTES;
  private static final int SEAL_END = SEAL_FILLED_OFFSET + Integer.BYTES;

  private static final int NEVER_ZERO = 1;

  /** Writes the header; the magic last, so that a killed process leaves a whole header or none. */
  public void write(ByteBuffer segment) {
    segment.putLong(MAGIC_OFFSET, 0);
    segment.putInt(SEAL_CRC_OFFSET, 0);
    segment.putLong(LOG_OFFSET, log.high());
    segment.putLong(LOG_OFFSET + Long.BYTES, log.low());
    segment.putLong(NUMBER_OFFSET, number);
    segment.putLong(GENERATION_OFFSET, generation);
    segment.putInt(SEGMENT_BYTES_OFFSET, segmentBytes);
    segment.putInt(STREAM_OFFSET, stream.code());
    segment.putInt(VERSION_OFFSET, VERSION);
    segment.putInt(CRC_OFFSET, crc(segment));
    segment.putLong(MAGIC_OFFSET, MAGIC);
  }

  /** Makes a segment in memory free. */
  public static void clear(ByteBuffer segment) {
    for (int at = 0; at < END; at += Long.BYTES) segment.putLong(at, 0);
    segment.putInt(SEAL_CRC_OFFSET, 0);
  }

  /** Notes that no further record comes; the checksum last, as with the header itself. */
  public static void seal(ByteBuffer segment, long generation, Seal seal) {
    segment.putInt(SEAL_CRC_OFFSET, 0);
    segment.putInt(SEAL_ENTRIES_OFFSET, seal.entries);
    segment.putInt(SEAL_FILLED_OFFSET, seal.filled);
    segment.putInt(SEAL_CRC_OFFSET, sealCrc(segment, generation));
  }

  /** The seal of a segment of that generation, or null where there is none. */
  public static @Nullable Seal sealOf(ByteBuffer segment, long generation) {
    int written = segment.getInt(SEAL_CRC_OFFSET);
    if (written == 0 || written != sealCrc(segment, generation)) return null;
    return new Seal(segment.getInt(SEAL_ENTRIES_OFFSET), segment.getInt(SEAL_FILLED_OFFSET));
  }

  private static int sealCrc(ByteBuffer segment, long generation) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, generation));
    crc.update(segment.slice(SEAL_ENTRIES_OFFSET, SEAL_END - SEAL_ENTRIES_OFFSET));
    int value = (int) crc.getValue();
    return value == 0 ? NEVER_ZERO : value;
  }

  public static Parsed parse(ByteBuffer block) {
    long magic = block.getLong(MAGIC_OFFSET);
    if (magic == 0) return new Parsed.Free();
    if (magic != MAGIC) return new Parsed.Broken();
    if (block.getInt(CRC_OFFSET) != crc(block)) return new Parsed.Broken();
    int version = block.getInt(VERSION_OFFSET);
    if (version > VERSION) return new Parsed.Newer(version);
    Stream stream = Stream.of(block.getInt(STREAM_OFFSET));
    int segmentBytes = block.getInt(SEGMENT_BYTES_OFFSET);
    if (version != VERSION || stream == null || segmentBytes <= 0) return new Parsed.Broken();
    return new Parsed.Valid(
        new SegmentHeader(
            new LogId(block.getLong(LOG_OFFSET), block.getLong(LOG_OFFSET + Long.BYTES)),
            block.getLong(NUMBER_OFFSET),
            block.getLong(GENERATION_OFFSET),
            segmentBytes,
            stream));
  }

  /**
   * Whether a broken header is still recognizably that of a segment of this log and generation, and
   * not a cleared one in which a bit has flipped.
   */
  public static boolean resembles(ByteBuffer block, LogId log, long generation) {
    return block.getLong(GENERATION_OFFSET) == generation
        || (block.getLong(LOG_OFFSET) == log.high()
            && block.getLong(LOG_OFFSET + Long.BYTES) == log.low());
  }

  private static int crc(ByteBuffer block) {
    CRC32C crc = new CRC32C();
    crc.update(block.slice(VERSION_OFFSET, END - VERSION_OFFSET));
    return (int) crc.getValue();
  }
}
