// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.door;

import io.forebay.ring.RingMap;
import io.forebay.seat.access.Entrances;
import io.forebay.seat.audit.MalformedAudit;
import io.forebay.seat.door.MessageTable.Sender;
import io.forebay.seat.part.Basics;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Network;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Message;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The entry point of all messages from clients and other seats: on connections that they dialled,
 * and on those that this seat dialled. {@link SeatMessages} lists the handlers.
 */
public final class SeatDoor implements Network.Door, Handler, HeldMessages.Taker {
  private static final int CONNECTIONS_MAX = 64 * 1024;

  private final DoorParts parts;
  private final Basics basics;
  private final Entrances entrances;
  private final Refusals refusals;
  private final HeldMessages held;
  private final MessageTable table;
  private final MalformedAudit malformed;
  private final Set<Connection> connections = new LinkedHashSet<>();

  public SeatDoor(DoorParts parts) {
    this.parts = parts;
    this.basics = parts.basics();
    this.entrances = parts.entrances();
    this.refusals = new Refusals(basics, entrances);
    this.held = new HeldMessages(basics.timers(), this, basics.counters().limits());
    EpochGate gate = new EpochGate(basics, parts.groups(), held, refusals);
    PayloadGate payloads = new PayloadGate(parts, gate, refusals);
    this.malformed = new MalformedAudit(basics.events(), basics.timers()::nanos);
    this.table = SeatMessages.table(parts, gate, payloads, connections::size);
  }

  /** The classes of messages that have a handler; for tests. */
  public Set<Class<? extends Message>> handled() {
    return table.types();
  }

  @Override
  public Handshake.Answer answer(Handshake.Hello hello) {
    RingMap map = basics.maps().map();
    long cluster = map == null ? 0 : map.cluster();
    if (hello.cluster() != 0 && cluster != 0 && hello.cluster() != cluster) {
      return new Handshake.Refusal(
          ErrorCode.WRONG_CLUSTER,
          "this seat belongs to cluster "
              + Long.toHexString(cluster)
              + ", not to "
              + Long.toHexString(hello.cluster()));
    }
    if (connections.size() >= CONNECTIONS_MAX) {
      return new Handshake.Refusal(
          ErrorCode.BUSY, "this seat has " + CONNECTIONS_MAX + " connections, its limit");
    }
    return new Handshake.Welcome(
        Handshake.VERSION_MAX,
        cluster,
        parts.creditBytes(),
        basics.store().config().payloadBytesMax());
  }

  /** The number of open connections. */
  public int connections() {
    return connections.size();
  }

  @Override
  public void malformed(Connection from, String what) {
    malformed.sent(from, what);
  }

  @Override
  public void opened(Connection connection) {
    connections.add(connection);
    entrances.opened(connection);
  }

  @Override
  public void closed(Connection connection, String reason) {
    connections.remove(connection);
    entrances.closed(connection);
    parts.reads().closed(connection);
    parts.holds().closed(connection);
  }

  @Override
  public Landing arriving(Connection connection, long request, Message message, int payloadBytes) {
    if (isRefused(connection, request, message))
      return parts.holds().over(connection, Landing.DISCARD);
    Message taken = entrances.taken(connection, message);
    Landing landing =
        table.arriving(senderOf(connection), connection, request, taken, payloadBytes);
    if (landing != null) return landing;
    String detail = "no payload belongs to that message";
    refusals.refuse(connection, request, ErrorCode.MALFORMED, detail);
    return Landing.DISCARD;
  }

  @Override
  public void received(Connection connection, long request, Message message) {
    if (isRefused(connection, request, message)) return;
    Sender sender = senderOf(connection);
    Message taken = entrances.taken(connection, message);
    if (table.dispatch(sender, connection, request, taken)) return;
    String name = message.getClass().getSimpleName();
    String detail =
        sender == Sender.SEAT ? "a seat answers no " + name : "clients do not send " + name;
    refusals.refuse(connection, request, ErrorCode.MALFORMED, detail);
  }

  /** Whether the sender has not proved what the message needs; then it has its answer. */
  private boolean isRefused(Connection connection, long request, Message message) {
    Entrances.Refused refused = entrances.refusal(connection, message);
    if (refused == null) return false;
    // A client that has not presented its capability yet does so now, and asks again.
    if (refused.code() == ErrorCode.UNPROVED) {
      refusals.refuse(connection, request, refused.code(), refused.sentence());
    } else {
      refusals.deny(connection, request, message, refused.code(), refused.sentence());
    }
    return true;
  }

  /** A message on a connection that this seat dialled; what answers no question may be ignored. */
  public void answered(Connection connection, long request, Message message) {
    if (request != 0) parts.questions().answered(request, message);
    else table.dispatch(Sender.DIALLED_SEAT, connection, request, message);
  }

  /** The same with a payload on its way. */
  public Landing answerArriving(long request, Message message, int payloadBytes) {
    return parts.questions().arriving(request, message, payloadBytes);
  }

  private Sender senderOf(Connection connection) {
    return entrances.isSeat(connection) ? Sender.SEAT : Sender.CLIENT;
  }

  /** A newer epoch has been entered. */
  public void entered() {
    held.release();
  }

  /** Refuses messages that have been held for too long. */
  public void poll() {
    held.poll();
  }

  @Override
  public void again(Request request) {
    if (request.from().isOpen()) received(request.from(), request.number(), request.message());
  }

  @Override
  public void inVain(Request request) {
    refusals.refuse(
        request.from(),
        request.number(),
        ErrorCode.UNAVAILABLE,
        basics.self().id() + " has no map yet in which it could answer");
  }
}
