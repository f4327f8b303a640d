// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path.peer;

import io.forebay.base.MonotonicClock;
import io.forebay.bench.transfer.Transfer;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Payload;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.tcp.TcpLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One client of a {@link NullServer}, over the network layer of Forebay's own. One thread. */
public final class NullServerLink implements Handler, AutoCloseable {
  private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long CONNECT_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);
  private static final Message PIECE = new Maps.Ping(0);

  private final TcpLoop loop;
  private @Nullable Connection open;
  private @Nullable Supplier<ByteBuffer> places;
  private String ended = "";
  private long answered;

  private NullServerLink(TcpLoop loop) {
    this.loop = loop;
  }

  public static NullServerLink connect(Address to) throws IOException {
    NullServerLink link = new NullServerLink(new TcpLoop(MonotonicClock.system()));
    try {
      link.dial(to);
      return link;
    } catch (IOException | RuntimeException e) {
      link.close();
      throw e;
    }
  }

  private void dial(Address to) throws IOException {
    long start = System.nanoTime();
    Handshake.Hello hello =
        Handshake.Hello.of(Handshake.Role.CLIENT, Handshake.Lane.INGEST, 0, "bench", 1);
    loop.connect(to, hello, this);
    while (open == null) {
      poll();
      if (System.nanoTime() - start > CONNECT_NANOS_MAX) throw new IOException(to + " is silent");
    }
  }

  /** Sends payloads; ends with the acknowledgement of the last. */
  public void put(Transfer transfer, Supplier<ByteBuffer> payloads) throws IOException {
    Connection connection = connection();
    answered = 0;
    for (long sent = 0; answered < transfer.count(); poll()) {
      for (; sent < transfer.count() && sent - answered < transfer.window(); sent++) {
        connection.send(sent, PIECE, Payload.of(payloads.get()));
      }
    }
  }

  /** Asks for payloads; ends when the last has arrived. */
  public void get(Transfer transfer, Supplier<ByteBuffer> into) throws IOException {
    Connection connection = connection();
    Message question = new Maps.Ping(transfer.payloadBytes());
    places = into;
    answered = 0;
    for (long sent = 0; answered < transfer.count(); poll()) {
      for (; sent < transfer.count() && sent - answered < transfer.window(); sent++) {
        connection.send(sent, question);
      }
    }
  }

  private Connection connection() {
    if (open == null) throw new IllegalStateException("not connected");
    return open;
  }

  private void poll() throws IOException {
    loop.poll(POLL_NANOS);
    if (!ended.isEmpty()) throw new IOException(ended);
  }

  @Override
  public void opened(Connection opened) {
    open = opened;
  }

  @Override
  public void received(Connection from, long request, Message message) {
    answered++;
  }

  @Override
  public Landing arriving(Connection from, long request, Message message, int payloadBytes) {
    if (places == null) return Landing.DISCARD;
    return new Landing.Into(
        places.get(),
        new Landing.Arrival() {
          @Override
          public void filled() {
            answered++;
          }

          @Override
          public void aborted() {
            // The reason comes with the end of the connection.
          }
        });
  }

  @Override
  public void closed(Connection from, String reason) {
    ended = reason;
  }

  @Override
  public void close() {
    loop.close();
  }
}
