package io.forebay.ring;

import io.forebay.base.GroupId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** In which order seats sit on the ring, and whom that makes members of which group. Pure. */
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
    // Dealt like cards into as many heaps as the largest server has seats: those of one server
    // follow each other, so each heap gets at most one of them, and at nearly the same height.
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
   * A group for each seat: the seat and those that follow it, seats of servers that are in it
   * already left out. With fewer servers than copies they come in after all, and a warning says so.
   *
   * @param ring the seats in the order of the ring
   */
  public static Groups groupsFor(List<SeatEntry> ring, int copies) {
    if (copies > ring.size()) {
      throw new IllegalArgumentException(
          copies + " copies need as many seats; there are " + ring.size());
    }
    List<Group> groups = new ArrayList<>(ring.size());
    for (int home = 0; home < ring.size(); home++) {
      List<Group.Member> members = new ArrayList<>(copies);
      for (SeatEntry seat : successors(ring, home, copies)) {
        members.add(new Group.Member(seat.id(), seat.incarnation(), true));
      }
      groups.add(new Group(GroupId.of(ring.get(home).id(), copies), 1, members));
    }
    long servers = ring.stream().map(SeatEntry::server).distinct().count();
    if (servers >= copies) return new Groups(groups, List.of());
    String warning =
        copies
            + " copies are to be kept, but there "
            + (servers == 1 ? "is 1 server" : "are " + servers + " servers")
            + ": some copies share a server and are lost with it";
    return new Groups(groups, List.of(warning));
  }

  private static List<SeatEntry> successors(List<SeatEntry> ring, int home, int copies) {
    List<SeatEntry> chosen = new ArrayList<>(copies);
    List<SeatEntry> left = new ArrayList<>();
    for (int i = 0; i < ring.size(); i++) left.add(ring.get((home + i) % ring.size()));
    // Each round takes the first seats left of servers not yet taken in this round.
    while (chosen.size() < copies) {
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
}
