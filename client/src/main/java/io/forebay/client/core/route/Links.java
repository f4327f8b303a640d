// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.base.SeatId;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.Address;
import io.forebay.wire.message.Handshake.Lane;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The connections to seats: one per lane, dialled when first needed. */
public final class Links {
  private final LinkGround ground;
  private final String node;
  private final MapKeeper maps;
  private final Proving proving;
  private final Map<SeatId, Link> control = new TreeMap<>();
  private final Map<SeatId, Link> ingest = new TreeMap<>();
  private Consumer<SeatId> whenOverdue = seat -> {};

  /** Nothing is sent to their seats. */
  private Set<String> revokedServers = Set.of();

  /**
   * Without any connection.
   *
   * @param proving proves the client's user to seats
   */
  Links(LinkGround ground, String node, MapKeeper maps, Proving proving) {
    this.ground = ground;
    this.node = node;
    this.maps = maps;
    this.proving = proving;
    maps.listen(this::follow);
  }

  /** Called at intervals with a seat that owes an answer and sends nothing. */
  void whenOverdue(Consumer<SeatId> action) {
    whenOverdue = action;
  }

  /** The manager tells which servers are revoked: connections to their seats end. */
  void revoked(Collection<String> servers) {
    revokedServers = Set.copyOf(servers);
    if (maps.current() != null) follow();
  }

  /**
   * The way to a seat, or null if the map knows no such seat or no address of it, or if its server
   * is revoked.
   */
  public @Nullable Link to(SeatId seat, Lane lane) {
    Map<SeatId, Link> links = of(lane);
    Link link = links.get(seat);
    if (link != null) return link;
    SeatEntry entry = maps.map().seat(seat);
    List<Address> addresses = entry == null ? List.of() : addresses(entry);
    if (addresses.isEmpty()) return null;
    link = new Link(ground, lane, addresses, ground.answerNanos());
    link.whenOverdue(() -> whenOverdue.accept(seat));
    link.provedBy(proving);
    links.put(seat, link);
    return link;
  }

  /** Why there is no way to a seat, for messages to people. */
  public String whyNot(SeatId seat) {
    SeatEntry entry = maps.map().seat(seat);
    if (entry == null) return "the map has no " + seat;
    if (revokedServers.contains(entry.server())) {
      return seat + " is on server " + entry.server() + ", whose certificate is revoked";
    }
    return seat
        + " on server "
        + entry.server()
        + " listens only at "
        + String.join(", ", entry.addresses())
        + ", which other hosts cannot reach; give that server an address with --listen";
  }

  /** The longest payload that every seat seen so far takes, at most the given one. */
  public int payloadBytesMax(int most) {
    int max = most;
    for (Lane lane : Lane.values()) {
      for (Link link : of(lane).values()) max = Math.min(max, link.payloadBytesMax(most));
    }
    return max;
  }

  /** How long ago the last seat was heard from. */
  public long silentNanos() {
    long least = Long.MAX_VALUE;
    for (Lane lane : Lane.values()) {
      for (Link link : of(lane).values()) {
        least = Math.min(least, ground.timers().nanos() - link.receivedNanos());
      }
    }
    return least;
  }

  /** A seat is silent: all requests to it are lost now, not only when each link finds out. */
  void giveUp(SeatId seat, String reason) {
    for (Lane lane : Lane.values()) {
      Link link = of(lane).get(seat);
      if (link != null) link.giveUp(reason);
    }
  }

  void close() {
    for (Lane lane : Lane.values()) {
      for (Link link : of(lane).values()) link.close("the client is closed");
    }
  }

  private Map<SeatId, Link> of(Lane lane) {
    return lane == Lane.CONTROL ? control : ingest;
  }

  /** After a change of the map: seats may have moved or gone. */
  private void follow() {
    for (Lane lane : Lane.values()) {
      of(lane)
          .entrySet()
          .removeIf(
              each -> {
                SeatEntry entry = maps.map().seat(each.getKey());
                List<Address> addresses = entry == null ? List.of() : addresses(entry);
                if (addresses.isEmpty()) each.getValue().close(whyNot(each.getKey()));
                else each.getValue().moveTo(addresses);
                return addresses.isEmpty();
              });
    }
  }

  /**
   * The seat's addresses, a Unix socket first where it can be reached, and only there; none if its
   * server is revoked.
   */
  private List<Address> addresses(SeatEntry seat) {
    if (revokedServers.contains(seat.server())) return List.of();
    List<Address> unix = new ArrayList<>();
    List<Address> inet = new ArrayList<>();
    for (String text : seat.addresses()) {
      Address address = Address.parse(text);
      if (!(address instanceof Address.Unix)) inet.add(address);
      else if (seat.host().equals(node)) unix.add(address);
    }
    unix.addAll(inet);
    return unix;
  }
}
