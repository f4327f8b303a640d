// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RingArrangementTest {
  @Test
  void neighboursAreOnDifferentServersAsFarAsPossible() {
    SplittableRandom random =
        new SplittableRandom(Rings.seed("neighboursAreOnDifferentServersAsFarAsPossible"));
    for (int round = 0; round < 2000; round++) {
      List<SeatEntry> seats = someSeats(random);
      List<SeatEntry> ring = RingArrangement.arrange(seats, SeatEntry::server);
      assertThat(ring).containsExactlyInAnyOrderElementsOf(seats);
      Map<String, Integer> counts = new HashMap<>();
      for (SeatEntry seat : seats) counts.merge(seat.server(), 1, Integer::sum);
      int most = counts.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
      int apart = seats.size() / most;
      for (int first = 0; first < ring.size(); first++) {
        Set<String> servers = new HashSet<>();
        for (int i = 0; i < apart; i++) servers.add(server(ring, first + i));
        assertThat(servers).as("%s from %d on", names(ring), first).hasSize(apart);
      }
    }
  }

  @Test
  void sameSeatsGiveTheSameRing() {
    List<SeatEntry> seats = Rings.seats(4, 2, 2);
    List<SeatEntry> ring = RingArrangement.arrange(seats, SeatEntry::server);
    assertThat(RingArrangement.arrange(seats, SeatEntry::server)).isEqualTo(ring);
    assertThat(names(ring))
        .containsExactly(
            "server-1",
            "server-2",
            "server-1",
            "server-2",
            "server-1",
            "server-3",
            "server-1",
            "server-3");
    assertThat(RingArrangement.arrange(List.<SeatEntry>of(), SeatEntry::server)).isEmpty();
  }

  @Test
  void groupsAreASeatAndItsSuccessorsOnDifferentServers() {
    SplittableRandom random =
        new SplittableRandom(Rings.seed("groupsAreASeatAndItsSuccessorsOnDifferentServers"));
    for (int round = 0; round < 1000; round++) {
      List<SeatEntry> ring = RingArrangement.arrange(someSeats(random), SeatEntry::server);
      int servers = (int) ring.stream().map(SeatEntry::server).distinct().count();
      int copies = 1 + random.nextInt(Math.min(ring.size(), GroupId.COPIES_MAX));
      RingArrangement.Groups made = RingArrangement.groupsFor(ring, copies);
      assertThat(made.groups()).hasSize(ring.size());
      assertThat(made.warnings()).hasSize(servers < copies ? 1 : 0);
      for (int home = 0; home < ring.size(); home++) {
        check(made.groups().get(home), ring, home, Math.min(copies, servers));
        assertThat(made.groups().get(home).members()).hasSize(copies);
      }
    }
  }

  private static void check(Group group, List<SeatEntry> ring, int home, int serversWanted) {
    assertThat(group.id().origin()).isEqualTo(ring.get(home).id());
    assertThat(group.home()).isEqualTo(ring.get(home).id());
    assertThat(group.epoch()).isEqualTo(1);
    List<SeatId> seats = group.members().stream().map(Group.Member::seat).toList();
    assertThat(seats).doesNotHaveDuplicates();
    assertThat(group.members()).allMatch(Group.Member::current);
    Set<String> servers = new HashSet<>();
    int at = home;
    for (int i = 0; i < serversWanted; i++) {
      // The nearest one behind that is on a server not yet in the group.
      while (servers.contains(server(ring, at))) at++;
      assertThat(seats.get(i)).isEqualTo(ring.get(at % ring.size()).id());
      servers.add(server(ring, at));
    }
  }

  @Test
  void equalServersShareTheCopiesEqually() {
    List<SeatEntry> ring = RingArrangement.arrange(Rings.seats(3, 3, 3, 3), SeatEntry::server);
    for (int copies = 1; copies <= 4; copies++) {
      Map<SeatId, Integer> memberships = new HashMap<>();
      for (Group group : RingArrangement.groupsFor(ring, copies).groups()) {
        for (Group.Member member : group.members()) {
          memberships.merge(member.seat(), 1, Integer::sum);
        }
      }
      assertThat(memberships.values()).hasSize(12).containsOnly(copies);
    }
  }

  @Test
  void fewerServersThanCopiesIsSaid() {
    List<SeatEntry> ring = RingArrangement.arrange(Rings.seats(2, 2), SeatEntry::server);
    assertThat(RingArrangement.groupsFor(ring, 3).warnings().get(0))
        .contains("3 copies")
        .contains("2 servers")
        .contains("share a server");
    assertThat(RingArrangement.groupsFor(Rings.seats(2), 2).warnings().get(0))
        .contains("is 1 server");
  }

  @Test
  void moreCopiesThanSeatsAreRefused() {
    assertThatThrownBy(() -> RingArrangement.groupsFor(Rings.seats(1, 1), 3))
        .hasMessage("3 copies need as many seats; there are 2");
  }

  private static List<SeatEntry> someSeats(SplittableRandom random) {
    int[] counts = new int[1 + random.nextInt(9)];
    for (int i = 0; i < counts.length; i++) counts[i] = 1 + random.nextInt(6);
    return Rings.seats(counts);
  }

  private static String server(List<SeatEntry> ring, int index) {
    return ring.get(index % ring.size()).server();
  }

  private static List<String> names(List<SeatEntry> ring) {
    return new ArrayList<>(ring.stream().map(SeatEntry::server).toList());
  }
}
