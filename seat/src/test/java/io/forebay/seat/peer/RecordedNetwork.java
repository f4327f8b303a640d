// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.peer;

import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.Network;
import io.forebay.wire.Payload;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Handshake.Role;
import io.forebay.wire.message.Message;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A network for tests of parts. It records what is sent, nobody is at the other end, and the test
 * answers.
 */
public final class RecordedNetwork implements Network {
  private static final Address NOWHERE = new Address.Inet("client", 1);

  /** A message that was sent. */
  public record Sent(Address to, Connection connection, long request, Message message) {
    /** Answers it, at once. */
    public void answer(Message answer) {
      Recorded recorded = (Recorded) connection;
      if (recorded.handler == null) throw new IllegalStateException("a client answers nothing");
      recorded.handler.received(connection, request, answer);
    }
  }

  private final List<Sent> sent = new ArrayList<>();
  private final List<Recorded> opening = new ArrayList<>();

  /** What was sent, in order; tests remove what they have seen. */
  public List<Sent> sent() {
    return sent;
  }

  @Override
  public Connection connect(Address to, Handshake.Hello hello, Handler handler) {
    Recorded connection = new Recorded(to, hello, handler);
    opening.add(connection);
    return connection;
  }

  /** Opens all connections that were dialled. */
  public void openAll() {
    List<Recorded> dialled = List.copyOf(opening);
    opening.clear();
    for (Recorded each : dialled) if (each.handler != null) each.handler.opened(each);
  }

  /** A connection that a client has dialled. */
  public Connection client() {
    return new Recorded(
        NOWHERE, Handshake.Hello.of(Role.CLIENT, Lane.INGEST, 1, "client", -1), null);
  }

  /** The same of a client that has not taken so many bytes. */
  public Connection client(long queuedBytes) {
    Recorded client = (Recorded) client();
    client.queuedBytes = queuedBytes;
    return client;
  }

  @Override
  public Listener listen(Address at, Door door, Handler handler) {
    throw new UnsupportedOperationException("nobody dials a part");
  }

  @Override
  public void refuseCertificates(Collection<Long> serials) {}

  @Override
  public LimitCounts limits() {
    return new LimitCounts();
  }

  private final class Recorded implements Connection {
    private final Address to;
    private final Handshake.Hello hello;
    private final @Nullable Handler handler;
    private boolean open = true;
    private long queuedBytes;

    Recorded(Address to, Handshake.Hello hello, @Nullable Handler handler) {
      this.to = to;
      this.hello = hello;
      this.handler = handler;
    }

    @Override
    public Handshake.Hello hello() {
      return hello;
    }

    @Override
    public Handshake.Welcome welcome() {
      throw new UnsupportedOperationException("nobody welcomed it");
    }

    @Override
    public String remote() {
      return to.toString();
    }

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public void send(long request, Message message) {
      if (open) sent.add(new Sent(to, this, request, message));
    }

    @Override
    public void send(long request, Message message, Payload payload) {
      send(request, message);
      payload.release();
    }

    @Override
    public long queuedBytes() {
      return queuedBytes;
    }

    @Override
    public void resume() {}

    @Override
    public void stop() {}

    @Override
    public void start() {}

    @Override
    public void close(String reason) {
      open = false;
    }
  }
}
