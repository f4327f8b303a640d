// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.bare;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * The first message of a connection: the work to do. The peer answers with one byte when it is
 * ready.
 *
 * @param put whether the dialling end sends; else it receives
 */
record BareRequest(boolean put, int payloadBytes, long count) {
  /** Payloads below this length are sent together, as many as may be unanswered. */
  static final int LONG_BYTES = 64 * 1024;

  /** The send buffer of the ring's own sockets on one machine. */
  private static final int SEND_BUFFER_BYTES = 512 * 1024;

  private static final int BYTES = Integer.BYTES + Integer.BYTES + Long.BYTES;

  static void prepare(SocketChannel socket) throws IOException {
    socket.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES);
  }

  void write(SocketChannel to) throws IOException {
    ByteBuffer out = ByteBuffer.allocate(BYTES);
    out.putInt(put ? 1 : 0).putInt(payloadBytes).putLong(count).flip();
    writeFully(to, out);
  }

  static BareRequest read(SocketChannel from) throws IOException {
    ByteBuffer in = ByteBuffer.allocate(BYTES);
    readFully(from, in);
    in.flip();
    return new BareRequest(in.getInt() == 1, in.getInt(), in.getLong());
  }

  static void writeFully(SocketChannel to, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) to.write(bytes);
  }

  static void readFully(SocketChannel from, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (from.read(bytes) < 0) throw new EOFException("the other end is gone");
    }
  }
}
