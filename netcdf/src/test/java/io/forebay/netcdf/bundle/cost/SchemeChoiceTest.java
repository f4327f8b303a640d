// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.bundle.cost.MachineCosts.Link;
import io.forebay.netcdf.bundle.partition.Scheme;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchemeChoiceTest {
  /** A message takes a nanosecond, and so does a byte. */
  private static final MachineCosts MACHINE =
      new MachineCosts(new Link(1, 1e9), new Link(1, 1e9), StoreCosts.UNKNOWN);

  /** A choice between steps of one group that receives this many messages. */
  private static SchemeChoice choice(long bps, long lps, long ips) {
    return choice(
        Map.of(Scheme.BPS, load(bps, 1), Scheme.LPS, load(lps, 1), Scheme.IPS, load(ips, 1)));
  }

  private static SchemeChoice choice(Map<Scheme, List<GroupLoad>> loads) {
    return new SchemeChoice(new StepLoads(loads, 1000), MACHINE);
  }

  private static List<GroupLoad> load(long messages, long files) {
    return List.of(new GroupLoad(messages, 0, 0, 0, files, 1000));
  }

  private static void measured(SchemeChoice choice, Scheme scheme, long... nanos) {
    for (long each : nanos) choice.measured(scheme, each, StoreCosts.UNKNOWN);
  }

  @Test
  void theFirstStepsFollowThePrediction() {
    SchemeChoice choice = choice(110, 80, 200);
    assertThat(choice.next()).isEqualTo(Scheme.LPS);
    // The first step is slow for reasons that no scheme is responsible for.
    measured(choice, Scheme.LPS, 5000);
    assertThat(choice.next()).isEqualTo(Scheme.LPS);
    measured(choice, Scheme.LPS, 800);
    assertThat(choice.next()).isEqualTo(Scheme.LPS);
  }

  @Test
  void predictionsThatHardlyDifferLeadToBps() {
    SchemeChoice choice = choice(100, 95, 92);
    assertThat(choice.next()).isEqualTo(Scheme.BPS);
    measured(choice, Scheme.BPS, 5000, 1000);
    assertThat(choice.expectedNanos())
        .containsEntry(Scheme.BPS, 1000L)
        .containsEntry(Scheme.LPS, 950L)
        .containsEntry(Scheme.IPS, 920L);
    measured(choice, choice.next(), 1300);
    assertThat(choice.next()).isEqualTo(Scheme.BPS);
  }

  @Test
  void theFirstStepTellsWhatTheStoreCosts() {
    SchemeChoice choice =
        choice(Map.of(Scheme.BPS, load(100, 1), Scheme.LPS, load(80, 3), Scheme.IPS, load(300, 1)));
    assertThat(choice.next()).as("creating files is not known to cost").isEqualTo(Scheme.LPS);
    StoreCosts store = new StoreCosts(1e9, 2e9, 50);
    choice.measured(Scheme.LPS, 5000, store);
    // The writer's own rate is the limit, not that of all writers.
    assertThat(choice.expectedNanos())
        .containsEntry(Scheme.BPS, 100 + 50 + 1000L)
        .containsEntry(Scheme.LPS, 80 + 3 * 50 + 1000L);
    assertThat(choice.next()).isEqualTo(Scheme.BPS);
    // Later steps do not change the predictions.
    choice.measured(Scheme.BPS, 1150, StoreCosts.UNKNOWN);
    assertThat(choice.expectedNanos()).containsEntry(Scheme.LPS, 1230L);
  }

  @Test
  void theThirdStepTriesASchemeThatMayBeFaster() {
    SchemeChoice choice = choice(100, 105, 110);
    measured(choice, Scheme.BPS, 5000, 1000);
    assertThat(choice.next()).isEqualTo(Scheme.LPS);
    measured(choice, Scheme.LPS, 1100);
    assertThat(choice.next()).as("it may have paid for memory").isEqualTo(Scheme.LPS);
    measured(choice, Scheme.LPS, 900);
    assertThat(choice.next()).isEqualTo(Scheme.LPS);
    measured(choice, Scheme.LPS, 1050);
    assertThat(choice.next()).as("the shortest time counts").isEqualTo(Scheme.LPS);
  }

  @Test
  void aSchemeThatIsMuchSlowerIsNotTakenAgain() {
    SchemeChoice choice = choice(100, 105, 110);
    measured(choice, Scheme.BPS, 5000, 1000);
    measured(choice, choice.next(), 1300);
    assertThat(choice.next()).isEqualTo(Scheme.BPS);
  }

  @Test
  void theEighthStepTriesASchemeThatMayBeFaster() {
    SchemeChoice choice = choice(100, 105, 200);
    measured(choice, Scheme.BPS, 5000, 1000);
    assertThat(choice.next()).isEqualTo(Scheme.LPS);
    measured(choice, Scheme.LPS, 1300);
    for (int step = 3; step < 8; step++) {
      assertThat(choice.next()).as("step %d", step).isEqualTo(Scheme.BPS);
      measured(choice, Scheme.BPS, 1000);
    }
    // IPS would take twice as long even by a model that is wrong.
    assertThat(choice.next()).as("the one time may have been disturbed").isEqualTo(Scheme.LPS);
    measured(choice, Scheme.LPS, 900);
    assertThat(choice.next()).isEqualTo(Scheme.LPS);
  }

  @Test
  void schemesThatWereNeverMeasuredAreTriedFirst() {
    SchemeChoice choice = choice(100, 110, 105);
    measured(choice, Scheme.BPS, 1, 1000, 1000, 1000, 1000, 1000, 1000, 1000);
    assertThat(choice.next()).isEqualTo(Scheme.IPS);
    measured(choice, Scheme.IPS, 2000);
    measured(choice, Scheme.BPS, 1000, 1000, 1000, 1000, 1000, 1000, 1000);
    assertThat(choice.next()).isEqualTo(Scheme.LPS);
  }

  @Test
  void measuredTimesCountMoreThanPredictions() {
    SchemeChoice choice = choice(100, 90, 95);
    measured(choice, Scheme.LPS, 1, 900);
    measured(choice, Scheme.BPS, 300);
    measured(choice, Scheme.IPS, 500);
    assertThat(choice.next()).isEqualTo(Scheme.BPS);
  }

  @Test
  void aDisturbedStepChangesNothingButALastingChangeDoes() {
    SchemeChoice choice = choice(100, 100, 100);
    measured(choice, Scheme.BPS, 1, 100);
    measured(choice, Scheme.LPS, 200);
    measured(choice, Scheme.IPS, 300);
    measured(choice, Scheme.BPS, 1000);
    assertThat(choice.next()).isEqualTo(Scheme.BPS);
    measured(choice, Scheme.BPS, 1000, 1000, 1000, 1000);
    assertThat(choice.next()).isEqualTo(Scheme.LPS);
  }
}
