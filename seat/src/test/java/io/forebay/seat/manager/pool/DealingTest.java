// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.SeatId;
import io.forebay.ring.Allocation;
import io.forebay.ring.Pool;
import io.forebay.ring.SeatEntry;
import io.forebay.ring.pool.PoolRoom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DealingTest {
  private static final long GIB = 1L << 30;
  private static final long TIB = 1L << 40;

  /** Servers of so many seats each; a seat keeps as much in memory as on its SSD. */
  static List<SeatEntry> ring(int servers, int seatsEach, long tierBytes) {
    List<SeatEntry> ring = new ArrayList<>();
    for (int i = 0; i < servers * seatsEach; i++) {
      ring.add(
          new SeatEntry(
              new SeatId(i + 1),
              "s" + (i % servers + 1),
              "host",
              i,
              i,
              1,
              1,
              List.of("10.0.0.1:" + (7000 + i)),
              tierBytes,
              tierBytes,
              1,
              false));
    }
    return ring;
  }

  private static PoolRoom room(List<SeatEntry> ring, long granuleBytes) {
    return PoolRoom.of(new Pool(Pool.DEFAULT, granuleBytes, 0, ""), ring, List.of());
  }

  private static long sum(List<Allocation.Share> shares) {
    return shares.stream().mapToLong(Allocation.Share::granules).sum();
  }

  /** The burst buffer of the Cori system: 1.2 TiB on nodes of 6.4 TB. */
  @Test
  void aCapacityIsRoundedUpToGranulesOnAsManyNodes() {
    List<SeatEntry> ring = ring(280, 1, 3 * TIB);
    long capacity = TIB * 12 / 10;
    long coarse = 82 * GIB;
    assertThat(Allocation.granulesFor(capacity, coarse)).isEqualTo(15);
    assertThat(Dealing.deal(room(ring, coarse), 1, false, List.of(), 15))
        .hasSize(15)
        .allMatch(share -> share.granules() == 1);
    // 60 granules of 20.14 GiB are 1208.4 GiB, and 1.2 TiB are 1228.8 GiB: 62 are needed.
    long fine = 2014 * GIB / 100;
    long granules = Allocation.granulesFor(capacity, fine);
    assertThat(granules).isEqualTo(62);
    assertThat(Dealing.deal(room(ring, fine), 1, false, List.of(), granules))
        .hasSize(62)
        .allMatch(share -> share.granules() == 1);
  }

  @Test
  void theLeastUsedServersGetGranules() {
    PoolRoom room = room(ring(4, 1, 8 * GIB), GIB);
    room.take(new SeatId(1), 1, false, 3);
    room.take(new SeatId(3), 1, false, 1);
    List<Allocation.Share> shares = Dealing.deal(room, 1, false, List.of(), 2);
    assertThat(shares)
        .containsExactlyInAnyOrder(
            new Allocation.Share(new SeatId(2), 1), new Allocation.Share(new SeatId(4), 1));
  }

  @Test
  void aServerGetsASecondOnlyWhenAllHaveOneAndThenOnAnotherSeat() {
    List<SeatEntry> ring = ring(3, 2, 8 * GIB);
    List<Allocation.Share> shares = Dealing.deal(room(ring, GIB), 1, false, List.of(), 5);
    Map<String, Integer> servers = new HashMap<>();
    for (Allocation.Share share : shares) {
      assertThat(share.granules()).isEqualTo(1);
      servers.merge(ring.get(share.seat().number() - 1).server(), 1, Integer::sum);
    }
    assertThat(servers.values()).containsExactlyInAnyOrder(1, 2, 2);
  }

  @Test
  void noMoreIsDealtThanAllCopiesHaveRoomFor() {
    PoolRoom room = room(ring(3, 1, GIB), GIB);
    List<Allocation.Share> shares = Dealing.deal(room, 2, false, List.of(), 100);
    assertThat(sum(shares)).isEqualTo(3);
    for (int seat = 1; seat <= 3; seat++) {
      assertThat(room.promised(new SeatId(seat))).isEqualTo(2);
      assertThat(room.excess(new SeatId(seat))).isZero();
    }
    assertThat(room.free()).isZero();
  }

  @Test
  void forcedGranulesAreOnSsds() {
    PoolRoom room = room(ring(2, 1, 4 * GIB), GIB);
    assertThat(sum(Dealing.deal(room, 1, true, List.of(), 100))).isEqualTo(8);
    assertThat(sum(Dealing.deal(room, 1, false, List.of(), 100)))
        .as("what is spilled takes room on the SSD")
        .isZero();
    PoolRoom other = room(ring(2, 1, 4 * GIB), GIB);
    assertThat(sum(Dealing.deal(other, 1, false, List.of(), 100))).isEqualTo(16);
  }

  @Test
  void manyGranulesAreDealtEvenly() {
    PoolRoom room = room(ring(5, 2, TIB), 1 << 20);
    List<Allocation.Share> shares = Dealing.deal(room, 2, false, List.of(), 1_000_003);
    assertThat(sum(shares)).isEqualTo(1_000_003);
    assertThat(shares).hasSize(10).allMatch(share -> Math.abs(share.granules() - 100_000) < 15_000);
  }

  @Test
  void largeSharesShrinkFirst() {
    Allocation had =
        new Allocation(
            Pool.DEFAULT,
            GIB,
            List.of(
                new Allocation.Share(new SeatId(1), 4), new Allocation.Share(new SeatId(2), 1)));
    assertThat(Dealing.trimmed(had, 3).shares())
        .containsExactly(
            new Allocation.Share(new SeatId(1), 2), new Allocation.Share(new SeatId(2), 1));
    assertThat(Dealing.trimmed(had, 1).granules()).isEqualTo(1);
  }
}
