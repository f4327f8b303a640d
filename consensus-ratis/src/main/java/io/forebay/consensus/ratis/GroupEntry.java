// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import io.forebay.base.Bytes;
import java.nio.ByteBuffer;

/**
 * An entry of the group's log: a head, then a command, a part of the state that the group begins
 * with, or nothing for a mark. By the head, the process that proposed an entry knows it when it is
 * committed.
 *
 * @param process 16 random bytes, drawn by each process
 * @param number counts the proposals of that process
 * @param part of an initial state, from 0
 * @param parts the number of parts; 0 for a command, -1 for a mark
 */
record GroupEntry(Bytes process, long number, int part, int parts, Bytes content) {
  static final int PROCESS_BYTES = 16;

  static final int COMMAND = 0;
  static final int MARK = -1;

  private static final int VERSION = 1;
  private static final int VERSION_OFFSET = 0;
  private static final int PROCESS_OFFSET = VERSION_OFFSET + Integer.BYTES;
  private static final int NUMBER_OFFSET = PROCESS_OFFSET + PROCESS_BYTES;
  private static final int PART_OFFSET = NUMBER_OFFSET + Long.BYTES;
  private static final int PARTS_OFFSET = PART_OFFSET + Integer.BYTES;
  static final int HEAD_BYTES = PARTS_OFFSET + Integer.BYTES;

  boolean isCommand() {
    return parts == COMMAND;
  }

  boolean isMark() {
    return parts == MARK;
  }

  byte[] encode() {
    ByteBuffer bytes = ByteBuffer.allocate(HEAD_BYTES + content.length());
    bytes.putInt(VERSION_OFFSET, VERSION).put(PROCESS_OFFSET, process.toArray());
    bytes.putLong(NUMBER_OFFSET, number).putInt(PART_OFFSET, part).putInt(PARTS_OFFSET, parts);
    return bytes.put(HEAD_BYTES, content.toArray()).array();
  }

  static GroupEntry decode(long index, ByteBuffer bytes) {
    if (bytes.remaining() < HEAD_BYTES || bytes.getInt(VERSION_OFFSET) != VERSION) {
      throw new IllegalStateException(
          "entry " + index + " of the managers' log is of another version of this program");
    }
    return new GroupEntry(
        Bytes.copyOf(bytes.slice(PROCESS_OFFSET, PROCESS_BYTES)),
        bytes.getLong(NUMBER_OFFSET),
        bytes.getInt(PART_OFFSET),
        bytes.getInt(PARTS_OFFSET),
        Bytes.copyOf(bytes.slice(HEAD_BYTES, bytes.remaining() - HEAD_BYTES)));
  }
}
