// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.failover;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeadershipLogTest {
  private static final List<String> LINES =
      List.of(
          "manager: 2026-11-18 10:00:01.250 [manager] INFO io.forebay - manager of cluster 0a leads in term 2",
          "manager: 2026-11-18 10:00:02.000 [manager] INFO io.forebay - seat 3 is heard of again",
          "2026-11-18 10:00:03.750 [manager] INFO io.forebay - manager of cluster 0a leads in term 3",
          "a line of another program that leads in term 4");

  private static long millis(int second, int milli) {
    return LocalDateTime.of(2026, 11, 18, 10, 0, second, milli * 1_000_000)
        .atZone(ZoneId.systemDefault())
        .toInstant()
        .toEpochMilli();
  }

  @Test
  void theFirstAfterATimeIsFound() {
    assertThat(LeadershipLog.firstAfter(millis(0, 0), LINES)).isEqualTo(millis(1, 250));
    assertThat(LeadershipLog.firstAfter(millis(1, 251), LINES)).isEqualTo(millis(3, 750));
    assertThat(LeadershipLog.firstAfter(millis(4, 0), LINES)).isEqualTo(-1);
  }
}
