// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Heads that lie, with right checksums; written without the code that it is to test. */
final class FrameForgery {
  private static final int MAGIC = 0x46424159;
  private static final int BODY_BYTES_AT = 8;
  private static final int PAYLOAD_BYTES_AT = 12;
  private static final int BODY_CHECKSUM_AT = 28;
  private static final int HEAD_CHECKSUM_AT = 32;
  private static final int HEAD_BYTES = 36;

  private FrameForgery() {}

  /** Puts lengths into a frame. */
  static void lengths(byte[] frame, int bodyBytes, long payloadBytes) {
    ByteBuffer view = ByteBuffer.wrap(frame);
    view.putInt(BODY_BYTES_AT, bodyBytes);
    view.putLong(PAYLOAD_BYTES_AT, payloadBytes);
    view.putInt(HEAD_CHECKSUM_AT, checksum(frame, 0, HEAD_CHECKSUM_AT));
  }

  /** Sets the magic numbers and checksums right of all frames in a stream, by their lengths. */
  static void seal(byte[] stream) {
    ByteBuffer view = ByteBuffer.wrap(stream);
    long at = 0;
    while (at + HEAD_BYTES <= stream.length) {
      int head = (int) at;
      long bodyBytes = view.getInt(head + BODY_BYTES_AT);
      long payloadBytes = view.getLong(head + PAYLOAD_BYTES_AT);
      boolean whole = bodyBytes >= 0 && at + HEAD_BYTES + bodyBytes <= stream.length;
      view.putInt(head, MAGIC);
      if (whole) {
        view.putInt(head + BODY_CHECKSUM_AT, checksum(stream, head + HEAD_BYTES, (int) bodyBytes));
      }
      view.putInt(head + HEAD_CHECKSUM_AT, checksum(stream, head, HEAD_CHECKSUM_AT));
      boolean goesOn = whole && payloadBytes <= stream.length;
      if (!goesOn) return;
      at += HEAD_BYTES + bodyBytes + Math.max(0, payloadBytes);
    }
  }

  private static int checksum(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }
}
