// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.s3;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.zip.CRC32C;

/** The remaining bytes of several buffers as one stream; the buffers are unchanged. */
final class GatherStream extends InputStream {
  private final Deque<ByteBuffer> rest = new ArrayDeque<>();

  GatherStream(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      if (buffer.hasRemaining()) rest.add(buffer.duplicate());
    }
  }

  static int checksum(List<ByteBuffer> buffers) {
    CRC32C crc = new CRC32C();
    for (ByteBuffer buffer : buffers) crc.update(buffer.duplicate());
    return (int) crc.getValue();
  }

  @Override
  public int read() {
    ByteBuffer first = rest.peek();
    if (first == null) return -1;
    int value = Byte.toUnsignedInt(first.get());
    if (!first.hasRemaining()) rest.remove();
    return value;
  }

  @Override
  public int read(byte[] target, int offset, int bytes) {
    if (bytes == 0) return 0;
    int done = 0;
    while (done < bytes) {
      ByteBuffer first = rest.peek();
      if (first == null) break;
      int taken = Math.min(bytes - done, first.remaining());
      first.get(target, offset + done, taken);
      done += taken;
      if (!first.hasRemaining()) rest.remove();
    }
    return done == 0 ? -1 : done;
  }
}
