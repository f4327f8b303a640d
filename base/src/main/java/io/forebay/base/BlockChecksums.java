// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The checksums of a payload: one CRC32C per 64 KiB block, so that a small read verifies little.
 * The client computes them once; every hop verifies the same ones in place.
 */
public final class BlockChecksums {
  public static final int BLOCK_BYTES = 64 * 1024;

  private BlockChecksums() {}

  /** How many blocks a payload of that length has; an empty payload has none. */
  public static int count(int payloadBytes) {
    return (payloadBytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
  }

  /** Whether a piece of a payload consists of whole blocks, so that their checksums are its own. */
  public static boolean areWhole(int offset, int lengthBytes, int payloadBytes) {
    boolean toTheEnd = offset + lengthBytes == payloadBytes;
    return offset % BLOCK_BYTES == 0 && (toTheEnd || lengthBytes % BLOCK_BYTES == 0);
  }

  /** The checksums of the bytes between position and limit, which stay as they are. */
  public static int[] of(ByteBuffer payload) {
    int[] checksums = new int[count(payload.remaining())];
    ByteBuffer view = payload.duplicate();
    CRC32C crc = new CRC32C();
    for (int block = 0; block < checksums.length; block++) {
      checksums[block] = next(view, crc);
    }
    return checksums;
  }

  /** The first block whose checksum differs, or -1 when the payload matches. */
  public static int firstMismatch(ByteBuffer payload, int[] expected) {
    if (expected.length != count(payload.remaining())) return 0;
    ByteBuffer view = payload.duplicate();
    CRC32C crc = new CRC32C();
    for (int block = 0; block < expected.length; block++) {
      if (next(view, crc) != expected[block]) return block;
    }
    return -1;
  }

  private static int next(ByteBuffer view, CRC32C crc) {
    int end = view.limit();
    view.limit(Math.min(end, view.position() + BLOCK_BYTES));
    crc.reset();
    crc.update(view);
    view.limit(end);
    return (int) crc.getValue();
  }
}
