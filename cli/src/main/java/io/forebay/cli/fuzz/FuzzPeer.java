// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.fuzz;

import io.forebay.simulation.fuzz.LiveValues;
import io.forebay.wire.Address;
import io.forebay.wire.WireLimits;
import io.forebay.wire.frame.FrameHead;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.frame.MalformedFrame;
import io.forebay.wire.frame.MessageTooLong;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One connection of the fuzzer. A thread of its own reads the answers and keeps the ids in them; a
 * deaf peer reads nothing.
 */
final class FuzzPeer implements AutoCloseable {
  private static final int CONNECT_MILLIS_MAX = 10_000;

  /** A server that reads nothing for this long does so on purpose: the connection is closed. */
  private static final long WRITE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(300);

  private final Socket socket;
  private final LiveValues live;
  private final Map<String, Integer> answers;
  private final Frames frames = new Frames();
  private final Thread writer;
  private volatile boolean over;
  private volatile long writingSince;

  /**
   * Dials and says hello.
   *
   * @param answers counts the answers, by type or by the reason of a refusal
   */
  FuzzPeer(
      Address.Inet at,
      Handshake.Hello hello,
      LiveValues live,
      Map<String, Integer> answers,
      boolean deaf)
      throws IOException {
    this.live = live;
    this.answers = answers;
    this.socket = new Socket();
    socket.connect(new InetSocketAddress(at.host(), at.port()), CONNECT_MILLIS_MAX);
    this.writer = Thread.ofVirtual().name("fuzz watch").start(this::watch);
    sendBytes(bytesOf(frames.encode(0, hello, Frames.NO_PAYLOAD)));
    if (!deaf) Thread.ofVirtual().name("fuzz reader").start(this::read);
  }

  boolean isOver() {
    return over;
  }

  /** Sends a message, unless it is too long to be one. */
  void send(long request, Message message, byte[] payload, boolean hasPayload) throws IOException {
    byte[] frame;
    try {
      int payloadBytes = hasPayload ? payload.length : Frames.NO_PAYLOAD;
      frame = bytesOf(frames.encode(request, message, payloadBytes));
    } catch (MessageTooLong e) {
      return;
    }
    sendBytes(frame);
    if (hasPayload) sendBytes(payload);
  }

  /** Sends bytes that may not be a valid message. */
  void sendBytes(byte[] bytes) throws IOException {
    writingSince = System.nanoTime();
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      over = true;
      throw e;
    } finally {
      writingSince = 0;
    }
  }

  static byte[] bytesOf(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  /** Aborts a write that the server does not read. */
  private void watch() {
    try {
      while (!over) {
        Thread.sleep(50);
        long since = writingSince;
        if (since != 0 && System.nanoTime() - since > WRITE_NANOS_MAX) close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String kindOf(Message answer) {
    return answer instanceof Replies.Failed failed
        ? failed.code().name()
        : answer.getClass().getSimpleName();
  }

  private void read() {
    Frames reading = new Frames();
    try {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (!over) {
        byte[] head = new byte[Frames.HEAD_BYTES];
        in.readFully(head);
        FrameHead read = reading.head(ByteBuffer.wrap(head), WireLimits.BODY_BYTES_MAX);
        byte[] body = new byte[read.bodyBytes()];
        in.readFully(body);
        Message message = reading.body(read, ByteBuffer.wrap(body));
        if (read.hasPayload()) in.skipNBytes(read.payloadBytes());
        live.harvest((Record) message);
        answers.merge(kindOf(message), 1, Integer::sum);
      }
    } catch (IOException | MalformedFrame e) {
      // The server has closed it, which is allowed.
      over = true;
    }
  }

  @Override
  public void close() {
    over = true;
    writer.interrupt();
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
