// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The order of seats on the ring, and the members of each group that follow from it. Pure. */
public final class RingArrangement {
  /**
   * Groups, and what people should know about them.
   *
   * @param warnings sentences to be logged loudly
   */
  public record Groups(List<Group> groups, List<String> warnings) {
    public Groups {
      groups = List.copyOf(groups);
      warnings = List.copyOf(warnings);
    }
  }

  private RingArrangement() {}

  /**
   * Orders seats so that neighbours are on different servers: of n seats, m of them on the largest
   * server, any n/m that follow each other, going round. No order can do better. The same seats in
   * the same order always give the same ring.
   */
  public static <T> List<T> arrange(List<T> seats, Function<T, String> server) {
    Map<String, List<T>> byServer = new LinkedHashMap<>();
    for (T seat : seats) {
      byServer.computeIfAbsent(server.apply(seat), s -> new ArrayList<>()).add(seat);
    }
    List<List<T>> servers = new ArrayList<>(byServer.values());
    servers.sort(Comparator.<List<T>>comparingInt(List::size).reversed());
    // Dealt like cards into as many piles as the largest server has seats. The seats of one server
    // are consecutive, so each pile gets at most one of them, at nearly the same height.
    int heaps = servers.isEmpty() ? 0 : servers.get(0).size();
    List<T> dealt = new ArrayList<>(seats.size());
    for (List<T> one : servers) dealt.addAll(one);
    List<T> ring = new ArrayList<>(seats.size());
    for (int heap = 0; heap < heaps; heap++) {
      for (int card = heap; card < dealt.size(); card += heaps) ring.add(dealt.get(card));
    }
    return ring;
  }

  /**
   * A group for each seat that takes part: its {@link #members}. With fewer servers than copies a
   * warning says so.
   *
   * @param ring the seats in the order of the ring
   */
  public static Groups groupsFor(List<SeatEntry> ring, int copies) {
    List<SeatEntry> here =
        ring.stream().filter(seat -> seat.stay() == SeatEntry.Stay.HERE).toList();
    if (copies > here.size()) {
      throw new IllegalArgumentException(
          copies + " copies need as many seats; there are " + here.size());
    }
    List<Group> groups = new ArrayList<>(ring.size());
    for (SeatEntry origin : ring) {
      // A pool whose only seats are gone has no member for a group.
      boolean kept = origin.takesPart() && !members(ring, origin.id(), 1).isEmpty();
      if (kept) groups.add(groupOf(ring, origin, copies));
    }
    long servers = here.stream().map(SeatEntry::server).distinct().count();
    if (servers >= copies) return new Groups(groups, List.of());
    String warning =
        copies
            + " copies are to be kept, but there "
            + (servers == 1 ? "is 1 server" : "are " + servers + " servers")
            + ": some copies share a server and are lost with it";
    return new Groups(groups, List.of(warning));
  }

  /** A new group, of which all members hold everything, as there is nothing. */
  public static Group groupOf(List<SeatEntry> ring, SeatEntry origin, int copies) {
    List<Group.Member> members = new ArrayList<>(copies);
    for (SeatEntry seat : members(ring, origin.id(), copies)) {
      members.add(new Group.Member(seat.id(), seat.incarnation(), true));
    }
    return new Group(GroupId.of(origin.id(), copies), 1, members);
  }

  /**
   * The members that a group should have, in order (P1): the first seats of its origin's pool, from
   * the origin on, that stay on the ring, at most one per server. With fewer servers than copies,
   * further seats of the same servers follow; with fewer seats there are fewer members.
   */
  public static List<SeatEntry> members(List<SeatEntry> ring, SeatId origin, int copies) {
    int place = 0;
    while (place < ring.size() && !ring.get(place).id().equals(origin)) place++;
    String pool = place < ring.size() ? ring.get(place).pool() : Pool.DEFAULT;
    List<SeatEntry> left = new ArrayList<>(ring.size());
    for (int i = 0; i < ring.size(); i++) {
      SeatEntry seat = ring.get((place + i) % ring.size());
      if (seat.stay() == SeatEntry.Stay.HERE && seat.pool().equals(pool)) left.add(seat);
    }
    List<SeatEntry> chosen = new ArrayList<>(copies);
    // Each round takes the first seats left of servers not yet taken in this round.
    while (chosen.size() < copies && !left.isEmpty()) {
      Set<String> servers = new HashSet<>();
      List<SeatEntry> passed = new ArrayList<>();
      for (SeatEntry seat : left) {
        if (chosen.size() < copies && servers.add(seat.server())) chosen.add(seat);
        else passed.add(seat);
      }
      left = passed;
    }
    return chosen;
  }

  /**
   * Behind which seat another one of a server sits best: as far as can be from others of that
   * server, and else at the end.
   */
  public static SeatId placeFor(List<SeatEntry> ring, String server) {
    int best = ring.size() - 1;
    int bestDistance = -1;
    for (int place = ring.size() - 1; place >= 0; place--) {
      int distance = distance(ring, place, server);
      if (distance > bestDistance) {
        best = place;
        bestDistance = distance;
      }
    }
    return ring.get(best).id();
  }

  /** How many seats lie between that server's and one that sat behind the given place. */
  private static int distance(List<SeatEntry> ring, int place, String server) {
    int size = ring.size();
    for (int away = 0; away < size; away++) {
      SeatEntry before = ring.get(Math.floorMod(place - away, size));
      SeatEntry behind = ring.get((place + 1 + away) % size);
      if (sitsThere(before, server) || sitsThere(behind, server)) return away;
    }
    return size;
  }

  private static boolean sitsThere(SeatEntry seat, String server) {
    return seat.takesPart() && seat.server().equals(server);
  }
}
