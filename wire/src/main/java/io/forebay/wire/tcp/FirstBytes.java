// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/**
 * The socket of an accepted connection below TLS: a peer that is not welcome yet may send a bounded
 * number of bytes, whatever it wraps them in.
 */
final class FirstBytes implements ByteChannel {
  private final ByteChannel socket;
  private final long bytesMax;
  private final LimitCounts counts;
  private long bytes;
  private boolean welcome;

  FirstBytes(ByteChannel socket, long bytesMax, LimitCounts counts) {
    this.socket = socket;
    this.bytesMax = bytesMax;
    this.counts = counts;
  }

  /** From now on it may send as much as it likes. */
  void welcome() {
    welcome = true;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    int count = socket.read(into);
    if (welcome || count <= 0) return count;
    bytes += count;
    if (bytes <= bytesMax) return count;
    counts.reached(Limit.HANDSHAKE_BYTES);
    throw new IOException("it sent more than " + bytesMax + " bytes before it was welcome");
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    return socket.write(from);
  }

  @Override
  public boolean isOpen() {
    return socket.isOpen();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
