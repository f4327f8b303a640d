// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.bare;

import io.forebay.bench.process.Child;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * A process that takes and gives checksummed records over a Unix socket, and this end of it: one
 * blocking thread on each side, no more work than the bytes and their checksums need.
 */
public final class BarePeer implements AutoCloseable {
  /** The maximum number of unanswered short records, which are sent together. */
  private static final int BATCH_MAX = 16;

  private final Child child;
  private final UnixDomainSocketAddress address;

  private BarePeer(Child child) {
    this.child = child;
    this.address = UnixDomainSocketAddress.of(child.where());
  }

  /**
   * Starts the other process.
   *
   * @param memory a directory in memory
   * @param regionBytes the size of the memory that records land in, one after the other
   */
  public static BarePeer start(Path directory, Path memory, int regionBytes) throws IOException {
    Path socket = directory.resolve("bare.sock");
    return new BarePeer(
        Child.start(
            BareChild.class,
            directory,
            List.of(socket.toString(), memory.toString(), Integer.toString(regionBytes))));
  }

  public long cpuNanos() throws IOException {
    return child.cpuNanos();
  }

  /** How many records are sent together. */
  static int batch(int payloadBytes) {
    return payloadBytes < BareRequest.LONG_BYTES ? BATCH_MAX : 1;
  }

  /**
   * Sends records, each answered when it has been verified.
   *
   * @param window the maximum number of unanswered records; short ones are sent together when there
   *     is room
   * @return how long it took
   */
  public long put(int payloadBytes, long count, int window, Supplier<ByteBuffer> payloads)
      throws IOException {
    try (SocketChannel socket = open(new BareRequest(true, payloadBytes, count))) {
      int batch = Math.min(window, batch(payloadBytes));
      RecordOutput output = new RecordOutput(socket, payloadBytes, batch);
      ByteBuffer answers = ByteBuffer.allocateDirect(window);
      long start = System.nanoTime();
      long answered = 0;
      for (long sent = 0; sent < count; ) {
        int room = (int) Math.min(window - (sent - answered), count - sent);
        for (int i = Math.min(room, batch); i > 0; i--, sent++) output.add(payloads.get());
        output.flush();
        if (sent - answered == window) answered += answers(socket, answers);
      }
      while (answered < count) answered += answers(socket, answers);
      return System.nanoTime() - start;
    }
  }

  /** Sends records, each after the answer to the one before; reports the time of each. */
  public void putEach(
      int payloadBytes, long count, Supplier<ByteBuffer> payloads, LongConsumer nanos)
      throws IOException {
    try (SocketChannel socket = open(new BareRequest(true, payloadBytes, count))) {
      RecordOutput output = new RecordOutput(socket, payloadBytes, 1);
      ByteBuffer answer = ByteBuffer.allocateDirect(1);
      for (long i = 0; i < count; i++) {
        long start = System.nanoTime();
        output.add(payloads.get());
        output.flush();
        answers(socket, answer);
        nanos.accept(System.nanoTime() - start);
      }
    }
  }

  private static int answers(SocketChannel socket, ByteBuffer into) throws IOException {
    int count = socket.read(into.clear());
    if (count < 0) throw new EOFException("the other end is gone");
    return count;
  }

  /** Receives records into places of that length, as fast as they come; says how long it took. */
  public long get(int payloadBytes, long count, Supplier<ByteBuffer> places) throws IOException {
    try (SocketChannel socket = open(new BareRequest(false, payloadBytes, count))) {
      RecordInput input = new RecordInput(socket, payloadBytes, places::get);
      long start = System.nanoTime();
      BareRequest.writeFully(socket, ByteBuffer.allocateDirect(1));
      for (long received = 0; received < count; ) received += input.receive();
      return System.nanoTime() - start;
    }
  }

  /** Connects and waits until the other end is ready. */
  private SocketChannel open(BareRequest request) throws IOException {
    SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      BareRequest.prepare(socket);
      socket.connect(address);
      request.write(socket);
      BareRequest.readFully(socket, ByteBuffer.allocate(1));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    child.close();
  }
}
