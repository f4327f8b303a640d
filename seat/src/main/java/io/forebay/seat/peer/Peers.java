// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.peer;

import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.part.RepeatedWarnings;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Network;
import io.forebay.wire.Payload;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Statuses;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The seat's connections to other seats, dialled at their first use and again, with growing pauses,
 * while they are needed. Messages without a connection are dropped: listeners are notified when the
 * peer can be reached again.
 */
public final class Peers {
  /** Notified about peers. */
  public interface Listener {
    /** Whether the other end of a connection has proved to be that seat. */
    boolean isPeer(SeatEntry peer, Connection connection);

    /** Whether the server of that seat is revoked, so that nothing is sent there. */
    boolean isRevoked(SeatEntry peer);

    /** The peer can be reached: messages that it may have missed should be resent. */
    void peerUp(SeatId peer, Lane lane);

    /** A connection has ended, or the peer is known to be dead: it answers nothing any more. */
    void peerDown(SeatId peer, Lane lane);

    /** A message on a connection that this seat dialled: an answer. */
    void answered(SeatId peer, Connection connection, long request, Message message);

    /** The same with a payload on its way. */
    Landing arriving(long request, Message message, int payloadBytes);
  }

  private static final ProtocolTimes.Requests TIMES = ProtocolTimes.DEFAULT.requests();

  /** One lane to one peer. */
  private final class Link implements Handler {
    final SeatId peer;
    final Lane lane;
    @Nullable Connection connection;
    boolean opened;
    boolean retrying;

    /** Whether the last connection, or try at one, ended. */
    boolean failed;

    long pauseNanos = TIMES.dialNanosMin();

    Link(SeatId peer, Lane lane) {
      this.peer = peer;
      this.lane = lane;
    }

    void dial() {
      RingMap known = map;
      SeatEntry entry = known == null ? null : known.seat(peer);
      if (connection != null || retrying || known == null || entry == null) return;
      if (listener.isRevoked(entry)) return;
      Handshake.Hello hello =
          Handshake.Hello.of(Handshake.Role.SEAT, lane, known.cluster(), host, self.number());
      Address address = addressOf(entry, host);
      if (address != null) connection = network.connect(address, hello, this);
      else warnings.warn("addresses of " + peer, outOfReach(entry));
    }

    @Override
    public void opened(Connection connection) {
      RingMap known = map;
      SeatEntry entry = known == null ? null : known.seat(peer);
      if (entry == null || !listener.isPeer(entry, connection)) {
        warnings.warn(
            "proof of " + peer,
            connection.remote() + " has not proved to be " + peer + ", so nothing is sent there");
        connection.close("it has not proved to be " + peer);
        return;
      }
      opened = true;
      failed = false;
      pauseNanos = TIMES.dialNanosMin();
      listener.peerUp(peer, lane);
    }

    @Override
    public void received(Connection connection, long request, Message message) {
      listener.answered(peer, connection, request, message);
    }

    @Override
    public Landing arriving(
        Connection connection, long request, Message message, int payloadBytes) {
      return listener.arriving(request, message, payloadBytes);
    }

    @Override
    public void closed(Connection closed, String reason) {
      if (!closed.equals(connection)) return;
      connection = null;
      if (opened) listener.peerDown(peer, lane);
      opened = false;
      failed = true;
      retrying = true;
      timers.after(
          pauseNanos,
          () -> {
            retrying = false;
            dial();
          });
      pauseNanos = Math.min(TIMES.dialNanosMax(), pauseNanos * 2);
    }
  }

  private final Timers timers;
  private final Network network;
  private final String host;
  private final RepeatedWarnings warnings;
  private final Listener listener;
  private final Map<SeatId, EnumMap<Lane, Link>> links = new TreeMap<>();
  private SeatId self = Statuses.NO_PLACE;
  private @Nullable RingMap map;

  public Peers(
      Timers timers, Network network, String host, RepeatedWarnings warnings, Listener listener) {
    this.timers = timers;
    this.network = network;
    this.host = host;
    this.warnings = warnings;
    this.listener = listener;
  }

  /** The Unix socket of a seat on the same host, else its first address; null if it has none. */
  static @Nullable Address addressOf(SeatEntry seat, String ownHost) {
    Address first = null;
    for (String text : seat.addresses()) {
      Address address = Address.parse(text);
      if (address instanceof Address.Unix && seat.host().equals(ownHost)) return address;
      if (first == null && address instanceof Address.Inet) first = address;
    }
    return first;
  }

  private static String outOfReach(SeatEntry seat) {
    return seat.id()
        + " on server "
        + seat.server()
        + " cannot be reached from here: it listens only at "
        + String.join(", ", seat.addresses())
        + "; give that server an address with --listen";
  }

  /** Follows a new map: connections to seats that moved or left are closed. */
  public void follow(SeatId self, RingMap map) {
    RingMap before = this.map;
    this.self = self;
    this.map = map;
    if (before == null) return;
    for (Map.Entry<SeatId, EnumMap<Lane, Link>> each : links.entrySet()) {
      SeatEntry was = before.seat(each.getKey());
      SeatEntry is = map.seat(each.getKey());
      if (was == null || is == null || !was.addresses().equals(is.addresses())) {
        for (Link link : each.getValue().values()) {
          if (link.connection != null) link.connection.close("the peer moved");
        }
      } else if (is.away() && !was.away()) {
        // A machine that is gone closes no connections.
        for (Lane lane : each.getValue().keySet()) listener.peerDown(each.getKey(), lane);
      }
    }
  }

  /** Closes the connections to seats of revoked servers. */
  public void dropRevoked() {
    RingMap known = map;
    if (known == null) return;
    for (Map.Entry<SeatId, EnumMap<Lane, Link>> each : links.entrySet()) {
      SeatEntry entry = known.seat(each.getKey());
      if (entry == null || !listener.isRevoked(entry)) continue;
      for (Link link : each.getValue().values()) {
        if (link.connection != null) link.connection.close("the server of the peer is revoked");
      }
    }
  }

  /** Sends if the peer can be reached now, else dials; says which. */
  public boolean send(SeatId peer, Lane lane, long request, Message message) {
    Connection connection = ready(peer, lane);
    if (connection == null) return false;
    connection.send(request, message);
    return true;
  }

  /** The same with a payload, which is released in any case. */
  public boolean send(SeatId peer, Lane lane, long request, Message message, Payload payload) {
    Connection connection = ready(peer, lane);
    if (connection == null) {
      payload.release();
      return false;
    }
    connection.send(request, message, payload);
    return true;
  }

  /** Whether something could be sent now; if not, the peer is dialled. */
  public boolean reachable(SeatId peer, Lane lane) {
    return ready(peer, lane) != null;
  }

  /**
   * Whether the last dial of the connection for small messages failed, or that connection ended.
   */
  public boolean refuses(SeatId peer) {
    return link(peer, Lane.CONTROL).failed;
  }

  public void close(String reason) {
    List<Link> all = new ArrayList<>();
    for (EnumMap<Lane, Link> lanes : links.values()) all.addAll(lanes.values());
    for (Link link : all) {
      link.retrying = true;
      if (link.connection != null) link.connection.close(reason);
    }
  }

  private @Nullable Connection ready(SeatId peer, Lane lane) {
    Link link = link(peer, lane);
    link.dial();
    Connection connection = link.connection;
    return connection != null && link.opened && connection.isOpen() ? connection : null;
  }

  private Link link(SeatId peer, Lane lane) {
    return links
        .computeIfAbsent(peer, key -> new EnumMap<>(Lane.class))
        .computeIfAbsent(lane, key -> new Link(peer, lane));
  }
}
