// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

import io.forebay.wire.message.Message;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes down what happens on a connection; says where payloads go. */
public final class Recorder implements Handler {
  /** Where the next payloads go. */
  public enum Taking {
    INTO_PLACE,
    DISCARD,
    HOLD
  }

  public record Received(long request, Message message, @Nullable ByteBuffer payload) {}

  public final List<Connection> opened = new ArrayList<>();
  public final List<Received> received = new ArrayList<>();
  public final List<String> closed = new ArrayList<>();
  public int unreachable;
  public Taking taking = Taking.INTO_PLACE;
  public Runnable onArriving = () -> {};
  public int asked;
  public int aborted;

  /** Connections on which a payload is landing. */
  private final Set<Connection> busy = new HashSet<>();

  public Connection connection() {
    return opened.get(0);
  }

  public boolean isLanding() {
    return !busy.isEmpty();
  }

  @Override
  public void opened(Connection connection) {
    opened.add(connection);
  }

  @Override
  public void received(Connection connection, long request, Message message) {
    if (busy.contains(connection)) throw new AssertionError("a message while a payload is landing");
    received.add(new Received(request, message, null));
  }

  @Override
  public Landing arriving(Connection connection, long request, Message message, int payloadBytes) {
    if (busy.contains(connection)) throw new AssertionError("two payloads at once");
    asked++;
    onArriving.run();
    if (taking == Taking.HOLD) return Landing.HOLD;
    if (taking == Taking.DISCARD) return Landing.DISCARD;
    busy.add(connection);
    // Not from 0, and with something behind it.
    ByteBuffer target = ByteBuffer.allocateDirect(payloadBytes + 5).position(3);
    target.limit(3 + payloadBytes);
    return new Landing.Into(
        target,
        new Landing.Arrival() {
          @Override
          public void filled() {
            busy.remove(connection);
            received.add(new Received(request, message, target));
          }

          @Override
          public void aborted() {
            busy.remove(connection);
            aborted++;
          }
        });
  }

  @Override
  public void closed(Connection connection, String reason) {
    closed.add(reason);
  }

  @Override
  public void unreachable(Connection connection, String reason) {
    unreachable++;
    closed(connection, reason);
  }
}
