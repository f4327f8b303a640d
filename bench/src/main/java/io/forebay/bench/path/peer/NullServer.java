// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path.peer;

import io.forebay.base.MonotonicClock;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Network;
import io.forebay.wire.Payload;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.tcp.TcpLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * A server without storage: the network loop of a seat, which takes payloads into memory that it
 * uses again and again and acknowledges each, or answers with as many bytes as it is asked for. One
 * thread, as a seat has.
 */
final class NullServer implements Handler, AutoCloseable {
  /** Larger than the caches of a core, so that pieces come from memory. */
  private static final int REGION_BYTES = HelperRequest.PIECE_BYTES_MAX;

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final Network.Door DOOR =
      hello ->
          new Handshake.Welcome(Handshake.VERSION_MAX, 0, Integer.MAX_VALUE, Integer.MAX_VALUE);

  private final ByteBuffer region = ByteBuffer.allocateDirect(REGION_BYTES);
  private final TcpLoop loop;
  private final Address address;
  private final Thread thread;
  private volatile boolean closing;
  private int next;

  private NullServer(TcpLoop loop, Address at) throws IOException {
    this.loop = loop;
    this.address = loop.listen(at, DOOR, this).address();
    this.thread = Thread.ofPlatform().daemon().name("null-server").start(this::serve);
  }

  static NullServer listen(Address at) throws IOException {
    TcpLoop loop = new TcpLoop(MonotonicClock.system());
    try {
      return new NullServer(loop, at);
    } catch (IOException | RuntimeException e) {
      loop.close();
      throw e;
    }
  }

  Address address() {
    return address;
  }

  private void serve() {
    while (!closing) loop.poll(POLL_NANOS);
    loop.close();
  }

  @Override
  public void opened(Connection connection) {
    // The other end begins.
  }

  /** A question for as many bytes as its figure says. */
  @Override
  public void received(Connection connection, long request, Message message) {
    long bytes = message instanceof Maps.Ping ping ? ping.ringEpoch() : 0;
    if (bytes < 1 || bytes > REGION_BYTES) {
      connection.close("a question for " + bytes + " bytes");
      return;
    }
    connection.send(request, message, Payload.of(place((int) bytes)));
  }

  @Override
  public Landing arriving(Connection connection, long request, Message message, int payloadBytes) {
    if (payloadBytes > REGION_BYTES) {
      connection.close("a payload of " + payloadBytes + " bytes");
      return Landing.DISCARD;
    }
    return new Landing.Into(
        place(payloadBytes),
        new Landing.Arrival() {
          @Override
          public void filled() {
            connection.send(request, message);
          }

          @Override
          public void aborted() {
            // The other end has gone, and counts nothing.
          }
        });
  }

  private ByteBuffer place(int bytes) {
    if (next > region.capacity() - bytes) next = 0;
    ByteBuffer place = region.slice(next, bytes);
    next += bytes;
    return place;
  }

  @Override
  public void closed(Connection connection, String reason) {
    // The next measurement makes another one.
  }

  @Override
  public void close() {
    closing = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
  }
}
