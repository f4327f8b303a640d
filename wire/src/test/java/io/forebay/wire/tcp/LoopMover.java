// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.base.MonotonicClock;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Payload;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Message;
import io.forebay.wire.tcp.LoopMeasurement.Load;
import io.forebay.wire.tcp.LoopMeasurement.Outcome;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** The same through {@link TcpLoop}: one loop receives, one sends, each with one thread. */
final class LoopMover {
  private static final ByteBuffer SOURCE = LoopMeasurement.source();
  private static final ByteBuffer REGION = LoopMeasurement.region();
  private static final long WAIT_NANOS = 100_000_000;

  private LoopMover() {}

  /** Lets payloads land one behind the other and answers them. */
  private static final class Receiver implements Handler {
    private int at;

    @Override
    public void opened(Connection connection) {}

    @Override
    public void received(Connection connection, long request, Message message) {}

    @Override
    public Landing arriving(
        Connection connection, long request, Message message, int payloadBytes) {
      Data.Put put = (Data.Put) message;
      ByteBuffer place = REGION.slice(at, payloadBytes);
      at = (at + payloadBytes) % LoopMeasurement.REGION_BYTES;
      return new Landing.Into(
          place,
          new Landing.Arrival() {
            @Override
            public void filled() {
              connection.send(request, new Data.PutDone(put.record()));
            }

            @Override
            public void aborted() {}
          });
    }

    @Override
    public void closed(Connection connection, String reason) {}
  }

  /** Keeps the window full until the time is over. */
  private static final class Sender implements Handler {
    private final Load load;
    private final Data.Put message;
    private final long end;
    private int at;
    private int inFlight;
    private int open;
    private long answered;

    Sender(Load load, long end) {
      this.load = load;
      this.message = load.message();
      this.end = end;
    }

    @Override
    public void opened(Connection connection) {
      open++;
      for (int i = 0; i < LoopMeasurement.WINDOW; i++) send(connection);
    }

    private void send(Connection connection) {
      ByteBuffer bytes = SOURCE.slice(at, load.payloadBytes());
      at = (at + load.payloadBytes()) % LoopMeasurement.SOURCE_BYTES;
      inFlight++;
      connection.send(1, message, Payload.of(bytes));
    }

    @Override
    public void received(Connection connection, long request, Message message) {
      inFlight--;
      answered++;
      if (System.nanoTime() < end) send(connection);
    }

    boolean isDone() {
      return open == load.connections() && inFlight == 0;
    }

    @Override
    public Landing arriving(
        Connection connection, long request, Message message, int payloadBytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection connection, String reason) {
      if (!isDone()) throw new IllegalStateException(reason);
    }
  }

  static Outcome move(Load load) throws IOException, InterruptedException {
    AtomicLong cpuNanos = new AtomicLong();
    AtomicBoolean over = new AtomicBoolean();
    try (TcpLoop receiving = new TcpLoop(MonotonicClock.system());
        TcpLoop sending = new TcpLoop(MonotonicClock.system())) {
      Address at =
          load.unix()
              ? new Address.Unix(load.socketFile().toString())
              : new Address.Inet("127.0.0.1", 0);
      Address address =
          receiving
              .listen(at, hello -> new Handshake.Welcome(1, 1, 1, 1), new Receiver())
              .address();
      Thread thread =
          new Thread(
              () -> {
                while (!over.get()) receiving.poll(WAIT_NANOS);
                cpuNanos.set(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
              },
              "loop receiver");
      thread.start();
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      long cpuStart = threads.getCurrentThreadCpuTime();
      long start = System.nanoTime();
      Sender sender = new Sender(load, start + load.nanos());
      Handshake.Hello hello =
          Handshake.Hello.of(Handshake.Role.CLIENT, Handshake.Lane.INGEST, 1, "here", 1);
      for (int i = 0; i < load.connections(); i++) sending.connect(address, hello, sender);
      while (!sender.isDone()) sending.poll(WAIT_NANOS);
      long nanos = System.nanoTime() - start;
      long senderCpuNanos = threads.getCurrentThreadCpuTime() - cpuStart;
      over.set(true);
      receiving.wakeUp();
      thread.join();
      return new Outcome(sender.answered, nanos, cpuNanos.get(), senderCpuNanos);
    }
  }
}
