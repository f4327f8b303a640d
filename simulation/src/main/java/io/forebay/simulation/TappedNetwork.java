package io.forebay.simulation;

import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Network;
import io.forebay.wire.Payload;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Message;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A client's network that tells which records the client sent and which it was acknowledged. */
final class TappedNetwork implements Network {
  /** Hears of records. */
  interface Tap {
    void sent(Data.Put put);

    void acknowledged(Data.PutDone done);
  }

  private final Network network;
  private final Tap tap;

  TappedNetwork(Network network, Tap tap) {
    this.network = network;
    this.tap = tap;
  }

  @Override
  public Connection connect(Address to, Handshake.Hello hello, Handler handler) {
    TappedConnection tapped = new TappedConnection(handler);
    Connection real = network.connect(to, hello, tapped);
    tapped.real = real;
    return tapped;
  }

  @Override
  public Listener listen(Address at, Door door, Handler handler) throws IOException {
    return network.listen(at, door, handler);
  }

  /** Stands between the client and its connection, both ways. */
  private final class TappedConnection implements Connection, Handler {
    private final Handler handler;
    private @Nullable Connection real;

    TappedConnection(Handler handler) {
      this.handler = handler;
    }

    private Connection real() {
      if (real == null) throw new IllegalStateException("called back from within connect");
      return real;
    }

    @Override
    public Handshake.Hello hello() {
      return real().hello();
    }

    @Override
    public Handshake.Welcome welcome() {
      return real().welcome();
    }

    @Override
    public String remote() {
      return real().remote();
    }

    @Override
    public boolean isOpen() {
      return real().isOpen();
    }

    @Override
    public void send(long request, Message message) {
      real().send(request, message);
    }

    @Override
    public void send(long request, Message message, Payload payload) {
      if (message instanceof Data.Put put) tap.sent(put);
      real().send(request, message, payload);
    }

    @Override
    public long queuedBytes() {
      return real().queuedBytes();
    }

    @Override
    public void resume() {
      real().resume();
    }

    @Override
    public void stop() {
      real().stop();
    }

    @Override
    public void start() {
      real().start();
    }

    @Override
    public void close(String reason) {
      real().close(reason);
    }

    @Override
    public void opened(Connection connection) {
      handler.opened(this);
    }

    @Override
    public void received(Connection connection, long request, Message message) {
      if (message instanceof Data.PutDone done) tap.acknowledged(done);
      handler.received(this, request, message);
    }

    @Override
    public Landing arriving(
        Connection connection, long request, Message message, int payloadBytes) {
      return handler.arriving(this, request, message, payloadBytes);
    }

    @Override
    public void closed(Connection connection, String reason) {
      handler.closed(this, reason);
    }

    @Override
    public void unreachable(Connection connection, String reason) {
      handler.unreachable(this, reason);
    }
  }
}
