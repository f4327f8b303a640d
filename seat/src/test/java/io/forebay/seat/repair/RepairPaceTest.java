// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.seat.part.SeatCounters;
import org.junit.jupiter.api.Test;

class RepairPaceTest {
  private static final int MIB = 1 << 20;

  private final SeatCounters counters = new SeatCounters();
  private final RepairPace pace = new RepairPace(counters);

  private int sendable() {
    int sent = 0;
    for (; pace.allowsMore() && sent < 500; sent++) pace.sent(MIB);
    return sent;
  }

  @Test
  void whileNobodyWritesItIsAsFastAsItGoes() {
    pace.tick();
    assertThat(sendable()).isEqualTo(500);
  }

  @Test
  void whatIsWrittenGoesOnTopOfAShareOfIt() {
    counters.put(8 * MIB);
    pace.tick();
    assertThat(sendable()).isEqualTo(10);
    counters.put(4 * MIB);
    pace.tick();
    assertThat(sendable()).isEqualTo(8);
  }

  @Test
  void writersThatPauseForAMomentHaveNotGone() {
    for (int i = 0; i < 25; i++) {
      if (i % 5 == 0) counters.put(10 * MIB);
      pace.tick();
      assertThat(sendable()).isLessThan(20);
    }
    for (int i = 0; i < 20; i++) pace.tick();
    assertThat(sendable()).isLessThan(5);
    pace.tick();
    assertThat(sendable()).isEqualTo(500);
  }

  @Test
  void whatALargeRecordTookTooMuchIsMissingLater() {
    counters.put(MIB);
    pace.tick();
    pace.sent(8 * MIB);
    counters.put(MIB);
    pace.tick();
    assertThat(pace.allowsMore()).isFalse();
  }
}
