// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StagesAtEndTest {
  private static final Instant FAILED = Instant.ofEpochSecond(1_000_000);

  private static boolean isDue(int attempt, Duration later) {
    StageNote.Progress failed =
        new StageNote.Progress(
            StageNote.VERSION,
            StageStatus.State.FAILED,
            attempt,
            "server-1",
            true,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            "",
            List.of(),
            0,
            StageBoard.nanos(FAILED));
    return StagesAtEnd.isRetryDue(failed, FAILED.plus(later));
  }

  @Test
  void aFailedStageIsTriedAgainAtGrowingButBoundedIntervals() {
    assertThat(isDue(1, Duration.ofSeconds(9))).isFalse();
    assertThat(isDue(1, Duration.ofSeconds(10))).isTrue();
    assertThat(isDue(3, Duration.ofSeconds(39))).isFalse();
    assertThat(isDue(3, Duration.ofSeconds(40))).isTrue();
    assertThat(isDue(1000, Duration.ofMinutes(5))).isTrue();
  }

  @Test
  void aClockThatWasSetBackDelaysNothing() {
    assertThat(isDue(1000, Duration.ofDays(-1))).isTrue();
  }
}
