// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.put;

import io.forebay.wire.Connection;
import io.forebay.wire.Payload;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Message;
import java.util.function.Consumer;

/** A pseudo connection for requests of a seat to itself: answers go to the caller. */
public final class InsideConnection implements Connection {
  private static final Handshake.Hello HELLO =
      Handshake.Hello.of(Handshake.Role.SEAT, Handshake.Lane.INGEST, 0, "", 0);

  private final Consumer<Message> answered;

  public InsideConnection(Consumer<Message> answered) {
    this.answered = answered;
  }

  @Override
  public Handshake.Hello hello() {
    return HELLO;
  }

  @Override
  public Handshake.Welcome welcome() {
    throw new IllegalStateException("nobody dialled");
  }

  @Override
  public String remote() {
    return "this seat";
  }

  /** Nothing waits for it. */
  @Override
  public boolean isOpen() {
    return false;
  }

  @Override
  public void send(long request, Message message) {
    answered.accept(message);
  }

  @Override
  public void send(long request, Message message, Payload payload) {
    payload.release();
    throw new IllegalStateException("no payload was asked for: " + message);
  }

  @Override
  public long queuedBytes() {
    return 0;
  }

  @Override
  public void resume() {}

  @Override
  public void stop() {}

  @Override
  public void start() {}

  @Override
  public void close(String reason) {}
}
