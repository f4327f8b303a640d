// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Heads that lie, with right checksums; written without the code that it is to test. */
final class FrameForgery {
  private static final int BODY_BYTES_AT = 8;
  private static final int PAYLOAD_BYTES_AT = 12;
  private static final int HEAD_CHECKSUM_AT = 32;

  private FrameForgery() {}

  /** Puts lengths into a frame. */
  static void lengths(byte[] frame, int bodyBytes, long payloadBytes) {
    ByteBuffer view = ByteBuffer.wrap(frame);
    view.putInt(BODY_BYTES_AT, bodyBytes);
    view.putLong(PAYLOAD_BYTES_AT, payloadBytes);
    CRC32C crc = new CRC32C();
    crc.update(frame, 0, HEAD_CHECKSUM_AT);
    view.putInt(HEAD_CHECKSUM_AT, (int) crc.getValue());
  }
}
