// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import java.nio.ByteBuffer;

/**
 * The head of a TLS record, as far as it must be known before a record can be decrypted.
 *
 * <pre>
 * type | version | length of the rest
 *  1        2             2
 * </pre>
 */
final class TlsRecords {
  static final int TYPE_OFFSET = 0;
  static final int VERSION_OFFSET = TYPE_OFFSET + Byte.BYTES;
  static final int LENGTH_OFFSET = VERSION_OFFSET + Short.BYTES;
  static final int HEAD_BYTES = LENGTH_OFFSET + Short.BYTES;

  /** RFC 8446, 5.1: the plain text of a record. */
  static final int CONTENT_BYTES_MAX = 1 << 14;

  /** RFC 8446, 5.2: the plain text, and up to 256 bytes that encryption adds. */
  static final int RECORD_BYTES_MAX = HEAD_BYTES + CONTENT_BYTES_MAX + 256;

  /** What an answer to nothing yet means: the length of the record is unknown. */
  static final int UNKNOWN = -1;

  private static final int TYPE_MIN = 20;
  private static final int TYPE_MAX = 23;
  private static final int VERSION_MAJOR = 3;
  private static final int BYTE_MASK = 0xff;
  private static final int SHORT_MASK = 0xffff;

  private TlsRecords() {}

  /** The length of the first record with its head, or {@link #UNKNOWN} if too little is here. */
  static int firstBytes(ByteBuffer arrived) throws TlsFailure {
    int start = arrived.position();
    if (!arrived.hasRemaining()) return UNKNOWN;
    int type = arrived.get(start + TYPE_OFFSET) & BYTE_MASK;
    if (type < TYPE_MIN || type > TYPE_MAX) throw notTls();
    if (arrived.remaining() < HEAD_BYTES) return UNKNOWN;
    if (arrived.get(start + VERSION_OFFSET) != VERSION_MAJOR) throw notTls();
    int bytes = HEAD_BYTES + (arrived.getShort(start + LENGTH_OFFSET) & SHORT_MASK);
    if (bytes > RECORD_BYTES_MAX) {
      throw new TlsFailure(TlsFailure.Kind.BROKEN, "it sent a TLS record of " + bytes + " bytes");
    }
    return bytes;
  }

  private static TlsFailure notTls() {
    return new TlsFailure(TlsFailure.Kind.NOT_TLS, "it does not use TLS");
  }
}
