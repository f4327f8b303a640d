// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.ring.RingArrangement;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.Result;
import io.forebay.store.log.LogId;
import io.forebay.wire.Connection;
import io.forebay.wire.WireLimits;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The seats that wait until the ring is formed. */
public final class Gathering {
  static final int SEATS_MAX = 4096;

  /** Of all names and addresses, so that the map of the ring fits a message. */
  static final int CHARS_MAX = WireLimits.BODY_BYTES_MAX / 4;

  /** A seat and the caller that waits for its answer. */
  public record Guest(Maps.Init init, Caller caller) {}

  private final int expectedServers;
  private final Map<LogId, Guest> guests = new LinkedHashMap<>();

  public Gathering(int expectedServers) {
    this.expectedServers = expectedServers;
  }

  /** Takes a seat in, in place of what its log brought before; says why not, if it does not. */
  public Result.@Nullable Refused take(Maps.Init init, Caller caller) {
    LogId log = logOf(init);
    if (!guests.containsKey(log)) {
      if (guests.size() >= SEATS_MAX) {
        return new Result.Refused(ErrorCode.BUSY, SEATS_MAX + " seats have come; no more fit in");
      }
      if (chars() > CHARS_MAX) {
        return new Result.Refused(
            ErrorCode.BUSY, "the names of the servers that have come fill the map");
      }
      if (seatsOf(init.server()) >= init.serverSeats()) {
        return new Result.Refused(
            ErrorCode.INVALID,
            "server '"
                + init.server()
                + "' said that it has "
                + init.serverSeats()
                + " seats, and as many have come: give each server a name of its own");
      }
    }
    guests.put(log, new Guest(init, caller));
    return null;
  }

  /** A caller that disconnected no longer waits. */
  public void left(Connection connection) {
    guests.values().removeIf(guest -> guest.caller().connection().equals(connection));
  }

  public boolean isEmpty() {
    return guests.isEmpty();
  }

  /** Whether all servers that are expected have come, and everyone with all their seats. */
  public boolean complete() {
    Map<String, Integer> missing = missing();
    return missing.size() >= expectedServers && missing.values().stream().allMatch(m -> m <= 0);
  }

  /** How many servers have come with all their seats. */
  public int completeServers() {
    return (int) missing().values().stream().filter(seats -> seats <= 0).count();
  }

  /** The seats in the order of a ring, regardless of their order of arrival. */
  public List<Command.Arrival> ring() {
    List<Maps.Init> inits = new ArrayList<>();
    for (Guest guest : guests.values()) inits.add(guest.init());
    inits.sort(
        Comparator.comparing(Maps.Init::server)
            .thenComparingLong(init -> init.seat().logHigh())
            .thenComparingLong(init -> init.seat().logLow()));
    return RingArrangement.arrange(inits, Maps.Init::server).stream()
        .map(Gathering::arrival)
        .toList();
  }

  public List<Guest> guests() {
    return List.copyOf(guests.values());
  }

  /** Lets everyone go. */
  public List<Guest> dismiss() {
    List<Guest> all = guests();
    guests.clear();
    return all;
  }

  public static Command.Arrival arrival(Maps.Init init) {
    return new Command.Arrival(init.server(), init.host(), init.seat());
  }

  static LogId logOf(Maps.Init init) {
    return new LogId(init.seat().logHigh(), init.seat().logLow());
  }

  /** How many seats of each server are not there yet. */
  private Map<String, Integer> missing() {
    Map<String, Integer> seats = new TreeMap<>();
    Map<String, Integer> missing = new TreeMap<>();
    for (Guest guest : guests.values()) {
      String server = guest.init().server();
      int here = seats.merge(server, 1, Integer::sum);
      missing.put(server, guest.init().serverSeats() - here);
    }
    return missing;
  }

  private long chars() {
    long chars = 0;
    for (Guest guest : guests.values()) {
      chars += guest.init().server().length() + guest.init().host().length();
      for (String address : guest.init().seat().addresses()) chars += address.length();
    }
    return chars;
  }

  private int seatsOf(String server) {
    int seats = 0;
    for (Guest guest : guests.values()) {
      if (guest.init().server().equals(server)) seats++;
    }
    return seats;
  }
}
