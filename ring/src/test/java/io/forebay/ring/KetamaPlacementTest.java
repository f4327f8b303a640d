// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KetamaPlacementTest {
  private static final long UNIT = 1024;
  private static final PlacementSpec KETAMA = new PlacementSpec(PlacementSpec.Kind.KETAMA, UNIT, 0);
  private static final double DEVIATION_MAX = 0.10;

  @Test
  void eightSeatsGetEqualLoads() {
    List<SeatEntry> seats = Rings.seats(1, 1, 1, 1, 1, 1, 1, 1);
    double deviation = Rings.deviation(loads(seats, 400, 500));
    System.out.printf("ketama, 8 seats: deviation %.1f %% of the mean%n", deviation * 100);
    assertThat(deviation).isLessThanOrEqualTo(DEVIATION_MAX);
  }

  /** Whichever eight numbers the seats have, also where the plain circle is more uneven. */
  @Test
  void anyEightSeatsGetEqualShares() {
    SplittableRandom random = new SplittableRandom(Rings.seed("anyEightSeatsGetEqualShares"));
    int uneven = 0;
    double plainMost = 0;
    double most = 0;
    int sets = 1000;
    for (int set = 0; set < sets; set++) {
      List<SeatEntry> seats = someSeats(random, 8);
      double plain = plain(seats).deviation();
      if (plain > DEVIATION_MAX) uneven++;
      plainMost = Math.max(plainMost, plain);
      most = Math.max(most, ketama(seats).deviation());
    }
    System.out.printf(
        "ketama, %d sets of 8 seats: plain circles up to %.1f %%, %d above 10 %%; chosen ones up to"
            + " %.1f %%%n",
        sets, plainMost * 100, uneven, most * 100);
    assertThat(most).isLessThanOrEqualTo(DEVIATION_MAX);
  }

  @Test
  void loadsFollowShares() {
    SplittableRandom random = new SplittableRandom(Rings.seed("loadsFollowShares"));
    for (int set = 0; set < 20; set++) {
      List<SeatEntry> seats = someSeats(random, 8);
      assertThat(Rings.deviation(loads(seats, 100, 1000))).isLessThanOrEqualTo(DEVIATION_MAX);
    }
  }

  @Test
  void manySeatsGetEqualLoads() {
    List<SeatEntry> seats = new ArrayList<>();
    for (int i = 1; i <= 100; i++) seats.add(Rings.seat(i, "server-" + i, 1));
    assertThat(Rings.deviation(loads(seats, 100, 2000))).isLessThanOrEqualTo(DEVIATION_MAX);
  }

  @Test
  void loadsFollowWeights() {
    List<SeatEntry> seats = new ArrayList<>();
    for (int i = 1; i <= 8; i++) seats.add(Rings.seat(i, "server-" + i, i <= 4 ? 1 : 3));
    int[] loads = loads(seats, 100, 1000);
    int light = 0;
    int heavy = 0;
    for (int i = 0; i < 8; i++) {
      if (i < 4) light += loads[i];
      else heavy += loads[i];
    }
    assertThat((double) heavy / light).isBetween(2.6, 3.4);
  }

  @Test
  void oneUnitOfAFileStaysTogether() {
    Placement placement = Rings.placement(Rings.seats(1, 1, 1), KETAMA, 0);
    for (int file = 0; file < 100; file++) {
      assertThat(placement.choose(file, 5 * UNIT, 0))
          .isEqualTo(placement.choose(file, 6 * UNIT - 1, 0));
    }
  }

  @Test
  void aNewSeatTakesOnlyItsShare() {
    List<SeatEntry> more = Rings.seats(1, 1, 1, 1, 1, 1, 1, 1);
    List<SeatEntry> fewer = more.subList(0, 7);
    Placement before = Rings.placement(fewer, KETAMA, 0);
    Placement after = Rings.placement(more, KETAMA, 0);
    int moved = 0;
    int keys = 10_000;
    for (int file = 0; file < keys; file++) {
      GroupId now = after.choose(file, 0, 0);
      if (now.equals(before.choose(file, 0, 0))) continue;
      moved++;
      assertThat(now.origin()).isEqualTo(new SeatId(8));
    }
    assertThat(moved).isBetween(keys / 11, keys / 5);
  }

  @Test
  void attemptsGoToOtherServersFirstAndReachEverySeat() {
    List<SeatEntry> seats = Rings.seats(3, 3, 3, 1);
    Placement placement = Rings.placement(seats, KETAMA, 0);
    for (int file = 0; file < 200; file++) {
      Set<SeatId> tried = new LinkedHashSet<>();
      Set<String> servers = new LinkedHashSet<>();
      for (int attempt = 0; attempt < seats.size(); attempt++) {
        SeatId seat = placement.choose(file, 0, attempt).origin();
        tried.add(seat);
        if (attempt < 4) servers.add(seats.get(seat.number() - 1).server());
      }
      assertThat(tried).hasSize(seats.size());
      assertThat(servers).hasSize(4);
      assertThat(placement.choose(file, 0, seats.size())).isEqualTo(placement.choose(file, 0, 0));
    }
  }

  private static int[] loads(List<SeatEntry> seats, int files, int units) {
    Placement placement = Rings.placement(seats, KETAMA, 0);
    List<SeatId> ids = seats.stream().map(SeatEntry::id).toList();
    int[] loads = new int[seats.size()];
    for (int file = 0; file < files; file++) {
      for (int unit = 0; unit < units; unit++) {
        loads[ids.indexOf(placement.choose(1000 + file, unit * UNIT, 0).origin())]++;
      }
    }
    return loads;
  }

  private static KetamaPlacement ketama(List<SeatEntry> seats) {
    return (KetamaPlacement) Rings.placement(seats, KETAMA, 0);
  }

  private static Continuum plain(List<SeatEntry> seats) {
    List<Continuum.Node> nodes = new ArrayList<>();
    for (SeatEntry seat : seats) {
      nodes.add(new Continuum.Node(seat.id(), KetamaPlacement.name(seat.id(), 0), 1));
    }
    return new Continuum(nodes);
  }

  private static List<SeatEntry> someSeats(SplittableRandom random, int count) {
    Set<Integer> numbers = new LinkedHashSet<>();
    while (numbers.size() < count) numbers.add(1 + random.nextInt(10_000));
    return numbers.stream().map(number -> Rings.seat(number, "server-" + number, 1)).toList();
  }
}
