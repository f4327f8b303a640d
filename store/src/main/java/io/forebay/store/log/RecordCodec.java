// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.log;

import io.forebay.base.BlockChecksums;
import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the records of {@link RecordLayout} in a segment's bytes. Has scratch space, so
 * each owner has its own codec and calls it from one thread.
 */
public final class RecordCodec {
  /** The state of the fill of a record with a valid header. */
  public enum Fill {
    VOID,
    DAMAGED,
    COMPLETE
  }

  private static final int NEVER_ZERO = 1;
  private static final int FLIPPED_BITS_MAX = 2;

  private final byte[] scratch = new byte[RecordLayout.HEADER_BYTES];
  private final ByteBuffer header = ByteBuffer.wrap(scratch);
  private final CRC32C crc = new CRC32C();

  /** Writes the header of a reservation and voids its fill. */
  public void reserve(ByteBuffer segment, int position, long generation, RecordHeader record) {
    header.putInt(RecordLayout.TYPE_OFFSET, record.type().code() << 24);
    header.putLong(RecordLayout.GENERATION_OFFSET, generation);
    header.putInt(RecordLayout.POSITION_OFFSET, position);
    header.putInt(RecordLayout.PAYLOAD_BYTES_OFFSET, record.payloadBytes());
    header.putLong(RecordLayout.SESSION_OFFSET, record.id().session());
    header.putLong(RecordLayout.SEQUENCE_OFFSET, record.id().sequence());
    header.putLong(RecordLayout.FILE_OFFSET, record.file().number());
    header.putLong(RecordLayout.OFFSET_OFFSET, record.offset());
    header.putInt(RecordLayout.INSTANCE_OFFSET, record.file().instance());
    header.putInt(RecordLayout.GROUP_OFFSET, record.group());
    header.putInt(RecordLayout.HEADER_CRC_OFFSET, headerCrc());
    // The fill is voided first: a process killed in between leaves no header, or one with no fill.
    segment.putInt(position + RecordLayout.FILL_CRC_OFFSET, 0);
    segment.put(position, scratch);
  }

  /** Completes a reservation whose payload is in place with the payload's checksums. */
  public void fill(ByteBuffer segment, int position, int[] checksums) {
    int at = position + RecordLayout.TABLE_OFFSET;
    for (int checksum : checksums) {
      segment.putInt(at, checksum);
      at += Integer.BYTES;
    }
    segment.putInt(position + RecordLayout.FILL_CRC_OFFSET, fillCrc(segment, position, checksums));
  }

  /**
   * The record at that position, or null if there is no valid header of that generation. The length
   * has been checked against the segment's end.
   */
  public @Nullable RecordHeader header(ByteBuffer segment, int position, int end, long generation) {
    if (position + RecordLayout.RESERVED_BYTES > end) return null;
    return headerAt(segment, position, position, end, generation);
  }

  /** The same for a record whose bytes start elsewhere in a buffer. */
  public @Nullable RecordHeader headerAt(
      ByteBuffer bytes, int at, int position, int end, long generation) {
    // The generation first: it rejects nearly everything without a checksum.
    if (bytes.getLong(at + RecordLayout.GENERATION_OFFSET) != generation) return null;
    bytes.get(at, scratch);
    if (header.getInt(RecordLayout.HEADER_CRC_OFFSET) != headerCrc()) return null;
    if (header.getInt(RecordLayout.POSITION_OFFSET) != position) return null;
    RecordType type = RecordType.of(header.getInt(RecordLayout.TYPE_OFFSET) >>> 24);
    int payloadBytes = header.getInt(RecordLayout.PAYLOAD_BYTES_OFFSET);
    if (type == null || payloadBytes < 0) return null;
    if (position + RecordLayout.recordBytes(payloadBytes) > end) return null;
    return new RecordHeader(
        type,
        new RecordId(
            header.getLong(RecordLayout.SESSION_OFFSET),
            header.getLong(RecordLayout.SEQUENCE_OFFSET)),
        new FileId(
            header.getInt(RecordLayout.INSTANCE_OFFSET), header.getLong(RecordLayout.FILE_OFFSET)),
        header.getLong(RecordLayout.OFFSET_OFFSET),
        header.getInt(RecordLayout.GROUP_OFFSET),
        payloadBytes);
  }

  /** Whether a header of that generation may have stood there in which bits have flipped. */
  boolean resemblesHeader(ByteBuffer segment, int position, long generation) {
    long found = segment.getLong(position + RecordLayout.GENERATION_OFFSET);
    return Long.bitCount(found ^ generation) <= FLIPPED_BITS_MAX;
  }

  /**
   * The generation of a record with a valid header in any segment, or null. For segments whose own
   * header is lost.
   */
  public @Nullable Long generationAt(ByteBuffer segment, int position, int end) {
    if (position + RecordLayout.RESERVED_BYTES > end) return null;
    long generation = segment.getLong(position + RecordLayout.GENERATION_OFFSET);
    return header(segment, position, end, generation) == null ? null : generation;
  }

  /** The state of the fill, given its table; the payload is not checked. */
  public Fill fillState(ByteBuffer segment, int position, int[] checksums) {
    int written = segment.getInt(position + RecordLayout.FILL_CRC_OFFSET);
    if (written == 0) return Fill.VOID;
    return written == fillCrc(segment, position, checksums) ? Fill.COMPLETE : Fill.DAMAGED;
  }

  /** The payload's checksums as the fill has them. */
  public int[] table(ByteBuffer segment, int position, int payloadBytes) {
    return table(segment, position, 0, BlockChecksums.count(payloadBytes));
  }

  /** Some of them, from a block on. */
  public int[] table(ByteBuffer segment, int position, int firstBlock, int blocks) {
    int[] checksums = new int[blocks];
    int at = position + RecordLayout.TABLE_OFFSET + firstBlock * Integer.BYTES;
    for (int block = 0; block < blocks; block++) {
      checksums[block] = segment.getInt(at + block * Integer.BYTES);
    }
    return checksums;
  }

  private int headerCrc() {
    crc.reset();
    crc.update(
        scratch, RecordLayout.TYPE_OFFSET, RecordLayout.HEADER_BYTES - RecordLayout.TYPE_OFFSET);
    return (int) crc.getValue();
  }

  private int fillCrc(ByteBuffer segment, int position, int[] checksums) {
    crc.reset();
    updateInt(segment.getInt(position + RecordLayout.HEADER_CRC_OFFSET));
    for (int checksum : checksums) updateInt(checksum);
    int value = (int) crc.getValue();
    return value == 0 ? NEVER_ZERO : value;
  }

  private void updateInt(int value) {
    crc.update(value >>> 24);
    crc.update(value >>> 16);
    crc.update(value >>> 8);
    crc.update(value);
  }
}
