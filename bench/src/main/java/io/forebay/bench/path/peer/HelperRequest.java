// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path.peer;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * The first bytes of a connection to a helper: what it is asked for. The helper answers with {@link
 * #ANSWER_BYTES} bytes: the port of its network loop (0 for a Unix socket), which also says that it
 * is ready.
 *
 * @param count how many pieces follow, in that direction
 */
record HelperRequest(Kind kind, int pieceBytes, long count) {
  enum Kind {
    /** The helper reads all pieces, and answers with one byte when it has the last. */
    TAKE(1),
    /** The helper waits for one byte, and writes all pieces. */
    GIVE(2),
    /** Nothing follows: only the answer is wanted. */
    GREET(3);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    private static Kind of(int code) throws IOException {
      for (Kind kind : values()) if (kind.code == code) return kind;
      throw new IOException("it asks for kind " + code);
    }
  }

  /** Longer pieces are no messages. */
  static final int PIECE_BYTES_MAX = 64 << 20;

  static final int ANSWER_BYTES = Integer.BYTES;

  /** "FBPH", and the version of this protocol. */
  private static final long MAGIC = 0x46425048_00000001L;

  private static final int BYTES = Long.BYTES + Integer.BYTES + Integer.BYTES + Long.BYTES;

  static HelperRequest greet() {
    return new HelperRequest(Kind.GREET, 1, 0);
  }

  void write(SocketChannel to) throws IOException {
    ByteBuffer out = ByteBuffer.allocate(BYTES);
    out.putLong(MAGIC).putInt(kind.code).putInt(pieceBytes).putLong(count).flip();
    writeFully(to, out);
  }

  static HelperRequest read(SocketChannel from) throws IOException {
    ByteBuffer in = ByteBuffer.allocate(BYTES);
    readFully(from, in);
    in.flip();
    if (in.getLong() != MAGIC) throw new IOException("it does not speak this protocol");
    HelperRequest request = new HelperRequest(Kind.of(in.getInt()), in.getInt(), in.getLong());
    if (request.pieceBytes < 1 || request.pieceBytes > PIECE_BYTES_MAX || request.count < 0) {
      throw new IOException(
          "it asks for %d pieces of %d bytes; a piece has at most %d"
              .formatted(request.count, request.pieceBytes, PIECE_BYTES_MAX));
    }
    return request;
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
