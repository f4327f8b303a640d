// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.agent;

import java.io.EOFException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes on an agent's socket. A connection has one request and one answer. All numbers are 32
 * bits, the highest byte first. Both begin with the magic, which has the version in it, and the
 * number of bytes that follow.
 *
 * <ul>
 *   <li>request: user, group, number of texts; the texts, each with its number of bytes before it:
 *       program, working directory, arguments
 *   <li>answer: exit code; the rest is the text to print
 * </ul>
 *
 * <p>The clients in C write and read the same by {@code agent_socket.c}.
 */
final class AgentFrames {
  /** "FBA1". */
  static final int MAGIC = 0x46424131;

  static final int HEADER_BYTES = 2 * Integer.BYTES;

  /** As much as Linux allows a program's arguments to have. */
  static final int REQUEST_BYTES_MAX = 2 << 20;

  static final int ANSWER_BYTES_MAX = 64 << 20;

  private static final int TEXTS_MIN = 2;
  private static final int TEXTS_MAX = 10_000;

  /** A request, with the user and group that the client says that it has. */
  record Request(int user, int group, String program, String directory, List<String> arguments) {
    Request {
      arguments = List.copyOf(arguments);
    }
  }

  /** Bytes that are no request. */
  static final class Malformed extends IOException {
    private static final long serialVersionUID = 1;

    Malformed(String what) {
      super(what);
    }
  }

  private AgentFrames() {}

  /** Reads a request from a blocking channel. */
  static Request readRequest(ReadableByteChannel channel) throws IOException {
    ByteBuffer header = read(channel, HEADER_BYTES);
    if (header.getInt() != MAGIC) throw new Malformed("the client speaks another version");
    int bytes = header.getInt();
    if (bytes < 0 || bytes > REQUEST_BYTES_MAX) throw new Malformed("a request of " + bytes);
    return parse(read(channel, bytes));
  }

  private static ByteBuffer read(ReadableByteChannel channel, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) throw new EOFException("the client has gone");
    }
    return buffer.flip();
  }

  private static Request parse(ByteBuffer body) throws Malformed {
    try {
      int user = body.getInt();
      int group = body.getInt();
      int count = body.getInt();
      if (count < TEXTS_MIN || count > TEXTS_MAX) throw new Malformed(count + " texts");
      List<String> texts = new ArrayList<>();
      for (int i = 0; i < count; i++) texts.add(text(body));
      if (body.hasRemaining()) throw new Malformed("bytes behind the last text");
      return new Request(
          user, group, texts.get(0), texts.get(1), texts.subList(TEXTS_MIN, texts.size()));
    } catch (BufferUnderflowException e) {
      throw new Malformed("a request that ends too early");
    }
  }

  private static String text(ByteBuffer body) throws Malformed {
    int bytes = body.getInt();
    if (bytes < 0 || bytes > body.remaining()) throw new Malformed("a text of " + bytes);
    String text = StandardCharsets.UTF_8.decode(body.slice(body.position(), bytes)).toString();
    body.position(body.position() + bytes);
    return text;
  }

  /** An answer; a text that is too long is cut. */
  static ByteBuffer answer(int exitCode, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, ANSWER_BYTES_MAX - Integer.BYTES);
    return ByteBuffer.allocate(HEADER_BYTES + Integer.BYTES + length)
        .putInt(MAGIC)
        .putInt(Integer.BYTES + length)
        .putInt(exitCode)
        .put(bytes, 0, length)
        .flip();
  }
}
