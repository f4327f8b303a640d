// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.base.RecordId;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Message;
import io.forebay.wire.tcp.LoopMeasurement.Load;
import io.forebay.wire.tcp.LoopMeasurement.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Blocking channels, a thread for each end of each connection, and the same bytes on the wire as
 * the loop's and the same socket buffers, without encoding, checking or handing over anything.
 * Sends as much as the window allows in one write and answers all it has in one write.
 */
final class BlockingMover {
  private static final int INPUT_BYTES = 64 * 1024;

  private static final ByteBuffer SOURCE = LoopMeasurement.source();
  private static final ByteBuffer REGION = LoopMeasurement.region();

  private final Load load;
  private final byte[] head;
  private final byte[] answer;
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong receiverCpuNanos = new AtomicLong();
  private final AtomicLong senderCpuNanos = new AtomicLong();

  private BlockingMover(Load load) {
    this.load = load;
    this.head = frame(load.message(), load.payloadBytes());
    this.answer = frame(new Data.PutDone(new RecordId(77, 88)), Frames.NO_PAYLOAD);
  }

  private static byte[] frame(Message message, int payloadBytes) {
    ByteBuffer frame = new Frames().encode(1, message, payloadBytes);
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    return bytes;
  }

  static Outcome move(Load load) throws IOException, InterruptedException {
    return new BlockingMover(load).run();
  }

  private interface Work {
    void run() throws IOException;
  }

  private static Thread thread(String name, Work work) {
    return new Thread(
        () -> {
          try {
            work.run();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        name);
  }

  private Outcome run() throws IOException, InterruptedException {
    List<Thread> threads = new ArrayList<>();
    long start;
    try (ServerSocketChannel listener =
        load.unix()
            ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
            : ServerSocketChannel.open()) {
      SocketAddress at =
          load.unix()
              ? UnixDomainSocketAddress.of(load.socketFile())
              : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      listener.bind(at);
      start = System.nanoTime();
      for (int i = 0; i < load.connections(); i++) {
        SocketChannel out = SocketChannel.open(listener.getLocalAddress());
        SocketChannel in = listener.accept();
        TcpLoop.shortenBuffer(out);
        TcpLoop.shortenBuffer(in);
        if (!load.unix()) {
          out.setOption(StandardSocketOptions.TCP_NODELAY, true);
          in.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        int part = i;
        threads.add(thread("bare sender", () -> send(out, start + load.nanos())));
        threads.add(thread("bare receiver", () -> receive(in, part)));
      }
    }
    for (Thread each : threads) each.start();
    for (Thread each : threads) each.join();
    long nanos = System.nanoTime() - start;
    return new Outcome(answered.get(), nanos, receiverCpuNanos.get(), senderCpuNanos.get());
  }

  private void send(SocketChannel channel, long end) throws IOException {
    ByteBuffer[] heads = new ByteBuffer[LoopMeasurement.WINDOW];
    ByteBuffer[] gathered = new ByteBuffer[2 * LoopMeasurement.WINDOW];
    for (int i = 0; i < heads.length; i++) {
      heads[i] = ByteBuffer.allocateDirect(head.length).put(head).flip();
    }
    ByteBuffer answers = ByteBuffer.allocateDirect(answer.length * LoopMeasurement.WINDOW);
    int inFlight = 0;
    long done = 0;
    int at = 0;
    try (channel) {
      while (true) {
        int count = System.nanoTime() < end ? LoopMeasurement.WINDOW - inFlight : 0;
        for (int i = 0; i < count; i++) {
          gathered[2 * i] = heads[i].rewind();
          gathered[2 * i + 1] = SOURCE.slice(at, load.payloadBytes());
          at = (at + load.payloadBytes()) % LoopMeasurement.SOURCE_BYTES;
        }
        inFlight += count;
        int from = 0;
        while (from < 2 * count) {
          channel.write(gathered, from, 2 * count - from);
          while (from < 2 * count && !gathered[from].hasRemaining()) from++;
        }
        if (inFlight == 0) break;
        if (channel.read(answers) < 0) throw new IOException("ended");
        int whole = answers.position() / answer.length;
        answers.flip().position(whole * answer.length);
        answers.compact();
        inFlight -= whole;
        done += whole;
      }
    }
    answered.addAndGet(done);
    senderCpuNanos.addAndGet(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
  }

  private void receive(SocketChannel channel, int part) throws IOException {
    ByteBuffer input = ByteBuffer.allocateDirect(INPUT_BYTES);
    ByteBuffer answers = ByteBuffer.allocateDirect(answer.length * LoopMeasurement.WINDOW);
    int partBytes = LoopMeasurement.REGION_BYTES / load.connections();
    int at = 0;
    int tail = load.payloadBytes() >= 16 * 1024 ? 4096 : INPUT_BYTES;
    try (channel) {
      input.limit(0);
      while (true) {
        // The next head; what has been received is answered before waiting for it.
        while (input.remaining() < head.length) {
          if (answers.position() > 0) {
            answers.flip();
            while (answers.hasRemaining()) channel.write(answers);
            answers.clear();
          }
          input.compact();
          int count = channel.read(input);
          input.flip();
          if (count < 0) return;
        }
        input.position(input.position() + head.length);
        ByteBuffer place = REGION.slice(part * partBytes + at, load.payloadBytes());
        at = (at + load.payloadBytes()) % partBytes;
        int here = Math.min(input.remaining(), load.payloadBytes());
        place.put(0, input, input.position(), here).position(here);
        input.position(input.position() + here);
        if (place.hasRemaining()) {
          input.clear().limit(tail);
          ByteBuffer[] both = {place, input};
          while (place.hasRemaining()) {
            if (channel.read(both) < 0) throw new IOException("ended");
          }
          input.flip();
        }
        answers.put(answer);
        if (!answers.hasRemaining()) {
          answers.flip();
          while (answers.hasRemaining()) channel.write(answers);
          answers.clear();
        }
      }
    } finally {
      receiverCpuNanos.addAndGet(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
    }
  }
}
