// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.server.ring.ServerSize;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DemoPlanTest {
  private static final long MIB = 1024 * 1024;
  private static final long PLENTY = 1024 * 1024 * MIB;

  @Test
  void theUsualSizeFitsInLittleMoreThanOneGibibyteOfMemory() throws Exception {
    DemoPlan plan = DemoPlan.fitting(new ServerSize(1200 * MIB, PLENTY));
    assertThat(plan.reduced()).isFalse();
    assertThat(plan.burstBytes()).isEqualTo(768 * MIB);
    assertThat(plan.recordsPerRank()).isEqualTo(192);
  }

  @Test
  void littleRoomMakesItSmaller() throws Exception {
    ServerSize room = new ServerSize(500 * MIB, 1500 * MIB);
    DemoPlan plan = DemoPlan.fitting(room);
    assertThat(plan.reduced()).isTrue();
    assertThat(plan.burstBytes()).isBetween(DemoPlan.BURST_BYTES_MIN, 384 * MIB);
    assertThat(plan.memoryBytes()).isLessThanOrEqualTo(room.memoryBytes());
    assertThat(plan.ssdBytes() + plan.burstBytes()).isLessThanOrEqualTo(room.diskBytes());
  }

  @Test
  void noRoomIsToldInOneSentence() {
    assertThatThrownBy(() -> DemoPlan.fitting(new ServerSize(-MIB, PLENTY)))
        .isInstanceOf(DemoPlan.NoRoom.class)
        .hasMessage("a burst of 16 MiB needs 288 MiB of memory and 0 B are free; free some");
  }

  @Test
  void everyRecordHasAPlaceOfItsOwn() {
    Set<Checkpoint.Spot> spots = new HashSet<>();
    for (int rank = 0; rank < DemoPlan.RANKS; rank++) {
      for (int number = 0; number < 9; number++) spots.add(Checkpoint.spot(rank, number));
    }
    assertThat(spots).hasSize(9 * DemoPlan.RANKS);
    assertThat(spots).extracting(Checkpoint.Spot::file).hasSameElementsAs(Checkpoint.files());
  }
}
