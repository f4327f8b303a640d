// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.netcdf.bundle.partition.Scheme;
import io.forebay.parallel.Ranks;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StepTimesTest {
  @Test
  void textAndBack() {
    StepTimes full =
        new StepTimes(
            9, 1, 2, 3, 2, 77, Optional.of(Scheme.LPS), Map.of(Scheme.LPS, 8L, Scheme.BPS, 10L));
    assertThat(StepTimes.parse(full.toText())).isEqualTo(full);
    StepTimes bare = StepTimes.communicating(10, 2, 3);
    assertThat(StepTimes.parse(bare.toText())).isEqualTo(bare);
    assertThatThrownBy(() -> StepTimes.parse("1 2")).hasMessageContaining("1 2");
  }

  @Test
  void communicationIsTheRest() {
    assertThat(StepTimes.communicating(10, 2, 3).shuffleNanos()).isEqualTo(5);
    assertThat(StepTimes.communicating(10, 8, 3).shuffleNanos()).isZero();
  }

  @Test
  void timesOfSeveralRanksCountOnce() {
    BusyTimes one = new BusyTimes();
    BusyTimes other = new BusyTimes();
    one.add(0, 10);
    one.add(20, 30);
    other.add(5, 12);
    other.add(22, 25);
    assertThat(BusyTimes.nanos(Ranks.alone(), one)).isEqualTo(20);
    assertThat(BusyTimes.nanos(Ranks.alone(), one, other)).isEqualTo(22);
    one.clear();
    assertThat(BusyTimes.nanos(Ranks.alone(), one)).isZero();
  }
}
