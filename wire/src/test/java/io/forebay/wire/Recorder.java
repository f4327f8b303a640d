package io.forebay.wire;

import io.forebay.wire.message.Message;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes down what happens on a connection; says where payloads go. */
final class Recorder implements Handler {
  /** Where the next payloads go. */
  enum Taking {
    INTO_PLACE,
    DISCARD,
    HOLD
  }

  record Received(long request, Message message, @Nullable ByteBuffer payload) {}

  final List<Connection> opened = new ArrayList<>();
  final List<Received> received = new ArrayList<>();
  final List<String> closed = new ArrayList<>();
  Taking taking = Taking.INTO_PLACE;
  Runnable onArriving = () -> {};
  int asked;
  int aborted;
  boolean landing;

  Connection connection() {
    return opened.get(0);
  }

  @Override
  public void opened(Connection connection) {
    opened.add(connection);
  }

  @Override
  public void received(Connection connection, long request, Message message) {
    if (landing) throw new AssertionError("a message while a payload is landing");
    received.add(new Received(request, message, null));
  }

  @Override
  public Landing arriving(Connection connection, long request, Message message, int payloadBytes) {
    if (landing) throw new AssertionError("two payloads at once");
    asked++;
    onArriving.run();
    if (taking == Taking.HOLD) return Landing.HOLD;
    if (taking == Taking.DISCARD) return Landing.DISCARD;
    landing = true;
    // Not from 0, and with something behind it.
    ByteBuffer target = ByteBuffer.allocateDirect(payloadBytes + 5).position(3);
    target.limit(3 + payloadBytes);
    return new Landing.Into(
        target,
        new Landing.Arrival() {
          @Override
          public void filled() {
            landing = false;
            received.add(new Received(request, message, target));
          }

          @Override
          public void aborted() {
            landing = false;
            aborted++;
          }
        });
  }

  @Override
  public void closed(Connection connection, String reason) {
    closed.add(reason);
  }
}
