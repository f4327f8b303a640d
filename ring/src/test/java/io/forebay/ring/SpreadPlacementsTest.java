// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stripes and isolated clients. */
class SpreadPlacementsTest {
  private static final long UNIT = 1 << 20;
  private static final PlacementSpec ISOLATED =
      new PlacementSpec(PlacementSpec.Kind.ISOLATED, UNIT, 0);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 13})
  void isolatedClientsAreSpreadEvenly(int count) {
    List<SeatEntry> seats = Rings.seats(new int[] {count});
    for (int clients = 1; clients <= 3 * count; clients++) {
      int[] load = new int[count];
      for (int client = 0; client < clients; client++) {
        Placement placement = Rings.placement(seats, ISOLATED, 41 + client);
        GroupId group = placement.choose(7, 0, 0);
        load[group.origin().number() - 1]++;
        assertThat(placement.choose(8, 5 * UNIT, 0)).isEqualTo(group);
      }
      assertEven(load, clients);
    }
  }

  @Test
  void fewIsolatedClientsAreOnDifferentServers() {
    List<SeatEntry> seats = Rings.seats(4, 4, 4);
    for (int first = 0; first < seats.size(); first++) {
      Set<String> servers = new LinkedHashSet<>();
      for (int client = first; client < first + 3; client++) {
        SeatId seat = Rings.placement(seats, ISOLATED, client).choose(1, 0, 0).origin();
        servers.add(seats.get(seat.number() - 1).server());
      }
      assertThat(servers).hasSize(3);
    }
  }

  @Test
  void stripesFollowEachOtherRoundTheirSeats() {
    List<SeatEntry> seats = Rings.seats(1, 1, 1, 1, 1, 1);
    Placement placement = stripes(seats, 4);
    for (long file = 0; file < 50; file++) {
      List<Integer> origins = new ArrayList<>();
      for (int stripe = 0; stripe < 8; stripe++) {
        GroupId group = placement.choose(file, stripe * UNIT + 5, 0);
        assertThat(placement.choose(file, stripe * UNIT + UNIT - 1, 0)).isEqualTo(group);
        origins.add(group.origin().number() - 1);
      }
      for (int stripe = 1; stripe < 4; stripe++) {
        assertThat(origins.get(stripe)).isEqualTo((origins.get(stripe - 1) + 1) % 6);
      }
      assertThat(origins.subList(4, 8)).isEqualTo(origins.subList(0, 4));
    }
  }

  @Test
  void filesMadeOneAfterAnotherBeginOnDifferentSeats() {
    List<SeatEntry> seats = Rings.seats(1, 1, 1, 1, 1, 1, 1, 1);
    Placement placement = stripes(seats, 1);
    for (long first : new long[] {16, 160, 1L << 40}) {
      for (int files = 8; files <= 64; files += 8) {
        assertEven(starts(placement, first, 1, files), files);
      }
    }
    // Wherever the run begins, no seat has two more than its share.
    for (long first = 3; first < 400; first += 7) {
      for (int load : starts(placement, first, 1, 24)) assertThat(load).isBetween(1, 5);
    }
  }

  /** Numbers that a plain remainder would put onto one seat. */
  @ParameterizedTest
  @ValueSource(longs = {2, 4, 8, 16, 64, 1000, 1024, 4096, 1L << 40})
  void stridedFilesAreSpreadToo(long stride) {
    List<SeatEntry> seats = Rings.seats(1, 1, 1, 1, 1, 1, 1, 1);
    int[] load = starts(stripes(seats, 1), 3, stride, 4000);
    assertThat(Rings.deviation(load)).as("stride %d", stride).isLessThan(0.10);
  }

  @Test
  void attemptsGoRoundOtherServersFirst() {
    List<SeatEntry> seats = Rings.seats(2, 2, 2);
    for (Placement placement : List.of(stripes(seats, 0), Rings.placement(seats, ISOLATED, 5))) {
      Set<SeatId> tried = new LinkedHashSet<>();
      Set<String> servers = new LinkedHashSet<>();
      for (int attempt = 0; attempt < 6; attempt++) {
        SeatId seat = placement.choose(9, 3 * UNIT, attempt).origin();
        tried.add(seat);
        if (attempt < 3) servers.add(seats.get(seat.number() - 1).server());
      }
      assertThat(tried).hasSize(6);
      assertThat(servers).hasSize(3);
    }
  }

  @Test
  void onlySeatsOfTheInstanceAreChosenAndOnlyThoseThatServe() {
    List<SeatEntry> seats = Rings.seats(1, 1, 1, 1);
    for (PlacementSpec.Kind kind : PlacementSpec.Kind.values()) {
      PlacementSpec spec = new PlacementSpec(kind, UNIT, 0);
      Instance instance = Rings.instance(seats.subList(0, 3), 1, spec);
      RingMap map = Rings.map(seats, 1, instance);
      assertThat(origins(Placements.of(instance, map, 1))).doesNotContain(4);
      List<Group> groups = new ArrayList<>(map.groups());
      groups.set(1, notCurrent(groups.get(1)));
      RingMap without = new RingMap(Rings.CLUSTER, 1, 2, map.seats(), groups, map.instances());
      assertThat(origins(Placements.of(instance, without, 1))).doesNotContain(2, 4);
      groups.replaceAll(SpreadPlacementsTest::notCurrent);
      RingMap none = new RingMap(Rings.CLUSTER, 1, 3, map.seats(), groups, map.instances());
      assertThat(origins(Placements.of(instance, none, 1))).isSubsetOf(1, 2, 3).isNotEmpty();
    }
  }

  @Test
  void aMapWithoutTheInstancesGroupsIsRefused() {
    List<SeatEntry> seats = Rings.seats(1, 1, 1);
    Instance instance = Rings.instance(seats, 2, ISOLATED);
    assertThatThrownBy(() -> Placements.of(instance, Rings.map(seats, 1), 1))
        .hasMessageContaining("no group for instance scratch");
  }

  private static Placement stripes(List<SeatEntry> seats, int width) {
    return Rings.placement(seats, new PlacementSpec(PlacementSpec.Kind.STRIPES, UNIT, width), 0);
  }

  private static int[] starts(Placement placement, long first, long stride, int files) {
    int[] load = new int[8];
    for (int i = 0; i < files; i++) {
      load[placement.choose(first + i * stride, 0, 0).origin().number() - 1]++;
    }
    return load;
  }

  private static void assertEven(int[] load, int total) {
    for (int each : load) {
      assertThat(each).isBetween(total / load.length, (total + load.length - 1) / load.length);
    }
  }

  private static Set<Integer> origins(Placement placement) {
    Set<Integer> origins = new LinkedHashSet<>();
    for (int file = 0; file < 100; file++) {
      for (int attempt = 0; attempt < 3; attempt++) {
        origins.add(placement.choose(file, 0, attempt).origin().number());
      }
    }
    return origins;
  }

  private static Group notCurrent(Group group) {
    Group.Member home = group.members().get(0);
    return new Group(
        group.id(),
        group.epoch() + 1,
        List.of(new Group.Member(home.seat(), home.incarnation(), false)));
  }
}
