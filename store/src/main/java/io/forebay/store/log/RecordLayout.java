// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.log;

import io.forebay.base.BlockChecksums;

/**
 * The bytes of one record, big-endian, at a position that is a multiple of {@link #ALIGN_BYTES}:
 *
 * <pre>
 *   header    64 bytes   written when the record is reserved
 *     headerCrc    u32   CRC32C of the other 60 bytes
 *     type         u8    {@link RecordType}
 *     reserved     u8[3] zero
 *     generation   u64   the segment's random generation
 *     position     u32   the record's position in its segment
 *     payloadBytes u32
 *     session      u64   record id (journal: epoch)
 *     sequence     u64   record id (journal: index)
 *     file         u64   file number (journal: which journal)
 *     offset       u64   where in the file the payload belongs
 *     instance     u32
 *     group        u32   the record's group; 0 if there is none
 *   fill                 written when the payload is complete
 *     fillCrc      u32   CRC32C of headerCrc and the table; 0 while unfilled
 *     table        u32[] CRC32C of each 64 KiB block of the payload
 *   payload              from the next multiple of ALIGN_BYTES on
 * </pre>
 *
 * <p>The header binds generation and position, so neither a recycled segment's old records nor a
 * copy of a record inside a payload ever validates. A valid header with a zero fillCrc is a void
 * reservation; one whose fill does not validate is damaged.
 */
public final class RecordLayout {
  public static final int ALIGN_BYTES = 64;

  static final int HEADER_CRC_OFFSET = 0;
  static final int TYPE_OFFSET = HEADER_CRC_OFFSET + Integer.BYTES;
  static final int GENERATION_OFFSET = TYPE_OFFSET + Integer.BYTES;
  static final int POSITION_OFFSET = GENERATION_OFFSET + Long.BYTES;
  public static final int PAYLOAD_BYTES_OFFSET = POSITION_OFFSET + Integer.BYTES;
  public static final int SESSION_OFFSET = PAYLOAD_BYTES_OFFSET + Integer.BYTES;
  public static final int SEQUENCE_OFFSET = SESSION_OFFSET + Long.BYTES;
  static final int FILE_OFFSET = SEQUENCE_OFFSET + Long.BYTES;
  public static final int OFFSET_OFFSET = FILE_OFFSET + Long.BYTES;
  static final int INSTANCE_OFFSET = OFFSET_OFFSET + Long.BYTES;
  static final int GROUP_OFFSET = INSTANCE_OFFSET + Integer.BYTES;
  public static final int HEADER_BYTES = GROUP_OFFSET + Integer.BYTES;

  static final int FILL_CRC_OFFSET = HEADER_BYTES;
  static final int TABLE_OFFSET = FILL_CRC_OFFSET + Integer.BYTES;

  /** The bytes that a reservation writes at once: the header and a zero fillCrc. */
  public static final int RESERVED_BYTES = TABLE_OFFSET;

  private RecordLayout() {}

  /** The offset of the payload, from the record's start. */
  public static int payloadOffset(int payloadBytes) {
    return align(TABLE_OFFSET + BlockChecksums.count(payloadBytes) * Integer.BYTES);
  }

  /** All bytes of a record; a long, since an unchecked length may come in. */
  public static long recordBytes(int payloadBytes) {
    return ((long) payloadOffset(payloadBytes) + payloadBytes + ALIGN_BYTES - 1) & -ALIGN_BYTES;
  }

  /** The longest payload of a record of this size. */
  public static int payloadBytesMax(int recordBytesMax) {
    int payload = recordBytesMax - payloadOffset(recordBytesMax);
    return payload & -ALIGN_BYTES;
  }

  private static int align(int bytes) {
    return (bytes + ALIGN_BYTES - 1) & -ALIGN_BYTES;
  }
}
