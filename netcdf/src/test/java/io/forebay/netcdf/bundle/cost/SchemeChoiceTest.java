// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.bundle.partition.Scheme;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchemeChoiceTest {
  private static SchemeChoice choice(double bps, double lps, double ips) {
    return new SchemeChoice(Map.of(Scheme.BPS, bps, Scheme.LPS, lps, Scheme.IPS, ips));
  }

  @Test
  void theFirstStepsFollowThePrediction() {
    SchemeChoice choice = choice(100, 90, 200);
    assertThat(choice.next()).isEqualTo(Scheme.LPS);
    // The first step is slow for reasons that no scheme is responsible for.
    choice.measured(Scheme.LPS, 5000);
    assertThat(choice.next()).isEqualTo(Scheme.LPS);
  }

  @Test
  void aSchemeThatMayBeFasterIsTriedOnce() {
    SchemeChoice choice = choice(100, 90, 200);
    choice.measured(Scheme.LPS, 5000);
    choice.measured(Scheme.LPS, 900);
    // Steps take ten times as long as predicted: BPS may take 1000, IPS 2000.
    assertThat(choice.expectedNanos()).containsEntry(Scheme.BPS, 1000L);
    assertThat(choice.next()).isEqualTo(Scheme.BPS);
    choice.measured(Scheme.BPS, 950);
    assertThat(choice.next()).isEqualTo(Scheme.LPS);
  }

  @Test
  void measuredTimesCountMoreThanPredictions() {
    SchemeChoice choice = choice(100, 90, 95);
    choice.measured(Scheme.LPS, 1);
    choice.measured(Scheme.LPS, 900);
    choice.measured(Scheme.BPS, 300);
    choice.measured(Scheme.IPS, 500);
    assertThat(choice.next()).isEqualTo(Scheme.BPS);
  }

  @Test
  void aDisturbedStepChangesNothingButALastingChangeDoes() {
    SchemeChoice choice = choice(100, 100, 100);
    choice.measured(Scheme.BPS, 1);
    choice.measured(Scheme.BPS, 100);
    choice.measured(Scheme.LPS, 200);
    choice.measured(Scheme.IPS, 300);
    choice.measured(Scheme.BPS, 1000);
    assertThat(choice.next()).isEqualTo(Scheme.BPS);
    for (int step = 0; step < 3; step++) choice.measured(Scheme.BPS, 1000);
    assertThat(choice.next()).isEqualTo(Scheme.LPS);
  }

  @Test
  void aSchemeThatWasDisturbedOnceIsTriedAgain() {
    SchemeChoice choice = choice(100, 110, 900);
    choice.measured(Scheme.BPS, 1);
    choice.measured(Scheme.BPS, 100);
    choice.measured(Scheme.LPS, 3000);
    for (int step = 3; step < 8; step++) {
      assertThat(choice.next()).isEqualTo(Scheme.BPS);
      choice.measured(Scheme.BPS, 100);
    }
    assertThat(choice.next()).isEqualTo(Scheme.LPS);
    choice.measured(Scheme.LPS, 90);
    assertThat(choice.next()).isEqualTo(Scheme.LPS);
  }
}
