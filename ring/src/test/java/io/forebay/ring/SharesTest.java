// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.order.Turns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Records go to the seats of an instance's shares, in proportion to their granules. */
class SharesTest {
  private static final long UNIT = 1 << 20;
  private static final long MIB = 1 << 20;

  private static Instance sharing(List<SeatEntry> seats, PlacementSpec.Kind kind, int... granules) {
    List<Allocation.Share> shares = new ArrayList<>();
    for (int i = 0; i < granules.length; i++) {
      if (granules[i] > 0) shares.add(new Allocation.Share(new SeatId(i + 1), granules[i]));
    }
    Allocation allocation = new Allocation(Pool.DEFAULT, MIB, shares);
    return Rings.instance(seats, 1, new PlacementSpec(kind, UNIT, 0))
        .withAllocation(allocation, allocation.seats());
  }

  @ParameterizedTest
  @EnumSource(PlacementSpec.Kind.class)
  void recordsFollowGranules(PlacementSpec.Kind kind) {
    List<SeatEntry> seats = Rings.seats(1, 1, 1, 1);
    Instance instance = sharing(seats, kind, 4, 0, 2, 2);
    RingMap map = Rings.map(seats, 1, instance);
    boolean isolated = kind == PlacementSpec.Kind.ISOLATED;
    Map<Integer, Integer> records = new HashMap<>();
    Placement placement = Placements.of(instance, map, 1);
    int total = isolated ? 80 : 8000;
    for (int i = 0; i < total; i++) {
      if (isolated) placement = Placements.of(instance, map, i);
      GroupId group = placement.choose(i / 100, (i % 100) * UNIT, 0);
      records.merge(group.origin().number(), 1, Integer::sum);
    }
    assertThat(records.keySet()).containsExactlyInAnyOrder(1, 3, 4);
    assertThat((double) records.get(1) / total).isBetween(0.42, 0.58);
    assertThat((double) records.get(3) / total).isBetween(0.18, 0.32);
    assertThat((double) records.get(4) / total).isBetween(0.18, 0.32);
  }

  @ParameterizedTest
  @EnumSource(PlacementSpec.Kind.class)
  void allOtherSeatsOfTheInstanceStandIn(PlacementSpec.Kind kind) {
    List<SeatEntry> seats = Rings.seats(1, 1, 1, 1);
    Instance instance = sharing(seats, kind, 4, 0, 1, 2);
    Placement placement = Placements.of(instance, Rings.map(seats, 1, instance), 1);
    List<Integer> tried = new ArrayList<>();
    for (int attempt = 0; attempt < 3; attempt++) {
      tried.add(placement.choose(5, 0, attempt).origin().number());
    }
    assertThat(tried).containsExactlyInAnyOrder(1, 3, 4);
  }

  @Test
  void turnsAreEvenAndSpread() {
    assertThat(Turns.inProportion(new int[] {1, 1, 1})).containsExactly(0, 1, 2);
    assertThat(Turns.inProportion(new int[] {7, 7})).containsExactly(0, 1);
    assertThat(Turns.inProportion(new int[] {2, 1, 1})).containsExactly(0, 1, 2, 0);
    int[] uneven = Turns.inProportion(new int[] {1_000_000, 1});
    assertThat(uneven).hasSizeLessThanOrEqualTo(2 * Turns.TURNS_PER_PLACE_MAX + 1).contains(0, 1);
  }

  @Test
  void membersAreOfTheOriginsPool() {
    List<SeatEntry> seats = new ArrayList<>();
    for (SeatEntry seat : Rings.seats(1, 1, 1, 1, 1)) {
      seats.add(seat.withPool(seat.id().number() % 2 == 0 ? "even" : "odd"));
    }
    for (SeatEntry origin : seats) {
      List<SeatEntry> members = RingArrangement.members(seats, origin.id(), 2);
      assertThat(members).hasSize(2).allMatch(seat -> seat.pool().equals(origin.pool()));
      assertThat(members.get(0)).isEqualTo(origin);
    }
    assertThat(RingArrangement.members(seats, new SeatId(2), 3)).hasSize(2);
  }
}
