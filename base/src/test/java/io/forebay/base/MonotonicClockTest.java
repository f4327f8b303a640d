// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MonotonicClockTest {
  @Test
  void theSystemClockNeverGoesBack() {
    MonotonicClock clock = MonotonicClock.system();
    long first = clock.nanos();
    assertThat(clock.nanos() - first).isNotNegative();
  }
}
