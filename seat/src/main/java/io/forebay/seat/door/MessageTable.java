// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.door;

import io.forebay.wire.Connection;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Message;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The handler of each message class. Filled once, then only looked up: dispatching a message
 * allocates nothing.
 */
final class MessageTable {
  /** The sender of a message. */
  enum Sender {
    /** A client, on a connection that it dialled. What clients send, seats may send as well. */
    CLIENT,
    /** Another seat, on a connection that it dialled. */
    SEAT,
    /** Another seat, on a connection that this seat dialled, without being asked. */
    DIALLED_SEAT
  }

  /** Handles a message without a payload. */
  interface Handler<M extends Message> {
    void handle(Connection from, long request, M message);
  }

  /** Decides where the payload of a message goes. */
  interface PayloadHandler<M extends Message> {
    Landing arriving(Connection from, long request, M message, int payloadBytes);
  }

  /** A message without a payload. */
  private record Row<M extends Message>(Class<M> type, Sender sender, Handler<M> handler) {
    void handle(Connection from, long request, Message message) {
      handler.handle(from, request, type.cast(message));
    }
  }

  /** A message with a payload. */
  private record PayloadRow<M extends Message>(
      Class<M> type, Sender sender, PayloadHandler<M> handler) {
    Landing arriving(Connection from, long request, Message message, int payloadBytes) {
      return handler.arriving(from, request, type.cast(message), payloadBytes);
    }
  }

  // Looked up by class only.
  private final Map<Class<? extends Message>, Row<?>> rows = new HashMap<>();
  private final Map<Class<? extends Message>, PayloadRow<?>> payloadRows = new HashMap<>();

  <M extends Message> void add(Sender sender, Class<M> type, Handler<M> handler) {
    requireNew(type);
    rows.put(type, new Row<>(type, sender, handler));
  }

  <M extends Message> void addPayload(Sender sender, Class<M> type, PayloadHandler<M> handler) {
    requireNew(type);
    payloadRows.put(type, new PayloadRow<>(type, sender, handler));
  }

  private void requireNew(Class<? extends Message> type) {
    if (rows.containsKey(type) || payloadRows.containsKey(type)) {
      throw new IllegalStateException("two handlers for " + type.getSimpleName());
    }
  }

  /** The classes of messages that have a handler. */
  Set<Class<? extends Message>> types() {
    Set<Class<? extends Message>> all = new HashSet<>(rows.keySet());
    all.addAll(payloadRows.keySet());
    return all;
  }

  /** Hands a message to its handler; false if there is none for messages of that sender. */
  boolean dispatch(Sender sender, Connection from, long request, Message message) {
    Row<?> row = rows.get(message.getClass());
    if (row == null || !mayCome(sender, row.sender)) return false;
    row.handle(from, request, message);
    return true;
  }

  /** The payload's destination; null if that message has none, or not from that sender. */
  @Nullable Landing arriving(
      Sender sender, Connection from, long request, Message message, int payloadBytes) {
    PayloadRow<?> row = payloadRows.get(message.getClass());
    if (row == null || !mayCome(sender, row.sender)) return null;
    return row.arriving(from, request, message, payloadBytes);
  }

  private static boolean mayCome(Sender actual, Sender allowed) {
    return actual == allowed || (actual == Sender.SEAT && allowed == Sender.CLIENT);
  }
}
