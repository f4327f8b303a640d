// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DrainWindowTest {
  private final DrainWindow window = new DrainWindow();

  private int after(long seconds, int answers) {
    for (int i = 0; i < answers; i++) window.took(TimeUnit.SECONDS.toNanos(seconds));
    return window.writes();
  }

  @Test
  void aQuickStoreGetsMoreAndAVerySlowOneWriteAfterWrite() {
    int before = window.writes();
    assertThat(after(5, 10)).as("neither").isEqualTo(before);
    int most = after(0, 100);
    assertThat(most).isGreaterThan(before).isLessThanOrEqualTo(32 / 4);
    assertThat(after(60, 10)).isEqualTo(1);
    assertThat(after(0, 100)).isEqualTo(most);
  }
}
