// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.recovery;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Sets the checksums right in a segment of any contents, so that what they protect is read; written
 * without the code that it is to test.
 */
final class SegmentForgery {
  static final int HEADER_PAGE_BYTES = 4096;

  private static final int SEGMENT_CRC_AT = 8;
  private static final int SEGMENT_FIELDS_AT = 12;
  private static final int GENERATION_AT = 40;
  private static final int SEGMENT_FIELDS_END = 56;
  private static final int SEAL_CRC_AT = 56;
  private static final int SEAL_END = 68;

  private static final int RECORD_FIELDS_AT = 4;
  private static final int RECORD_GENERATION_AT = 8;
  private static final int RECORD_POSITION_AT = 16;
  private static final int PAYLOAD_BYTES_AT = 20;
  private static final int RECORD_HEADER_BYTES = 64;
  private static final int TABLE_AT = 68;
  private static final int BLOCK_BYTES = 64 * 1024;
  private static final int ALIGN = 64;

  private final ByteBuffer segment;

  private SegmentForgery(ByteBuffer segment) {
    this.segment = segment;
  }

  /** Of the header, of its seal unless that is zero, and of all records. */
  static void seal(ByteBuffer segment) {
    new SegmentForgery(segment).seal();
  }

  private void seal() {
    segment.putInt(
        SEGMENT_CRC_AT, crc(SEGMENT_FIELDS_AT, SEGMENT_FIELDS_END - SEGMENT_FIELDS_AT, null));
    long generation = segment.getLong(GENERATION_AT);
    if (segment.getInt(SEAL_CRC_AT) != 0) {
      int from = SEAL_CRC_AT + Integer.BYTES;
      segment.putInt(SEAL_CRC_AT, notZero(crc(from, SEAL_END - from, generation)));
    }
    int at = HEADER_PAGE_BYTES;
    while (at >= 0 && at + TABLE_AT <= segment.limit()) at = record(at, generation);
  }

  /** Returns where the next one is, or -1 if this one reaches too far. */
  private int record(int at, long generation) {
    segment.putLong(at + RECORD_GENERATION_AT, generation);
    segment.putInt(at + RECORD_POSITION_AT, at);
    segment.putInt(at, crc(at + RECORD_FIELDS_AT, RECORD_HEADER_BYTES - RECORD_FIELDS_AT, null));
    long payloadBytes = segment.getInt(at + PAYLOAD_BYTES_AT);
    long blocks = (payloadBytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
    long payloadAt = align(at + TABLE_AT + blocks * Integer.BYTES);
    long end = align(payloadAt + payloadBytes);
    if (payloadBytes < 0 || end > segment.limit()) return -1;
    if (segment.getInt(at + RECORD_HEADER_BYTES) != 0)
      fill(at, (int) payloadAt, (int) payloadBytes);
    return (int) end;
  }

  private void fill(int at, int payloadAt, int payloadBytes) {
    CRC32C all = new CRC32C();
    all.update(segment.slice(at, Integer.BYTES));
    int table = at + TABLE_AT;
    for (int from = 0; from < payloadBytes; from += BLOCK_BYTES) {
      int length = Math.min(BLOCK_BYTES, payloadBytes - from);
      segment.putInt(table, crc(payloadAt + from, length, null));
      all.update(segment.slice(table, Integer.BYTES));
      table += Integer.BYTES;
    }
    segment.putInt(at + RECORD_HEADER_BYTES, notZero((int) all.getValue()));
  }

  private int crc(int from, int length, Long before) {
    CRC32C crc = new CRC32C();
    if (before != null) crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, before));
    crc.update(segment.slice(from, length));
    return (int) crc.getValue();
  }

  private static int notZero(int value) {
    return value == 0 ? 1 : value;
  }

  private static long align(long bytes) {
    return (bytes + ALIGN - 1) & -ALIGN;
  }
}
