// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.SeatId;
import io.forebay.job.datawarp.Registry;
import io.forebay.ring.Pool;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.ring.ended.EndedInstances;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterRegistryTest {
  private static final long GIB = 1L << 30;

  private static Registry.Pool pool(int servers, int copies) {
    List<SeatEntry> seats = new ArrayList<>();
    for (int i = 1; i <= servers; i++) {
      seats.add(
          new SeatEntry(
              new SeatId(i),
              "s" + i,
              "host",
              i,
              i,
              1,
              1,
              List.of("10.0.0.1:" + (7000 + i)),
              GIB,
              GIB,
              1,
              false));
    }
    List<Pool> pools = List.of(new Pool(Pool.DEFAULT, GIB / 16, 0, ""));
    RingMap map = new RingMap(1, 1, 1, seats, List.of(), List.of(), EndedInstances.NONE, pools);
    return ClusterRegistry.of(ClusterView.of(map, List.of()), copies).pools().getFirst();
  }

  @Test
  void aPoolHasTheRoomThatBuffersWithAllCopiesCanHave() {
    Registry.Pool once = pool(2, 1);
    assertThat(once.granules()).isPositive();
    assertThat(once.freeGranules()).isEqualTo(once.granules());
    assertThat(pool(2, 2).granules()).isEqualTo(once.granules() / 2);
  }

  @Test
  void aPoolWithFewerServersThanCopiesHasNone() {
    Registry.Pool few = pool(1, 2);
    assertThat(few.granules()).isZero();
    assertThat(few.freeGranules()).isZero();
  }
}
