// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.bundle.cost.MachineCosts.Link;
import io.forebay.netcdf.bundle.partition.Scheme;
import java.util.ArrayList;
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
  void theFirstStepTakesBpsUnlessPredictionsDifferByMoreThanTheModelErrs() {
    assertThat(choice(100, 79, 120).next()).isEqualTo(Scheme.LPS);
    SchemeChoice choice = choice(100, 85, 120);
    assertThat(choice.next()).isEqualTo(Scheme.BPS);
    measured(choice, Scheme.BPS, 5000);
    assertThat(choice.next()).as("the store is known now").isEqualTo(Scheme.LPS);
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
  void theThirdStepTriesASchemeThatIsPredictedToBeFaster() {
    SchemeChoice choice = choice(100, 95, 110);
    measured(choice, Scheme.BPS, 1090, 1000);
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
    SchemeChoice choice = choice(100, 95, 110);
    measured(choice, Scheme.BPS, 1090, 1000);
    assertThat(choice.next()).isEqualTo(Scheme.LPS);
    measured(choice, Scheme.LPS, 1300);
    assertThat(choice.next()).isEqualTo(Scheme.BPS);
  }

  /** What a program of eight steps takes, whose first two steps take this long. */
  private static List<Scheme> eightSteps(
      SchemeChoice choice, long first, long second, Map<Scheme, Long> later) {
    List<Scheme> taken = new ArrayList<>();
    for (int step = 0; step < 8; step++) {
      Scheme scheme = choice.next();
      taken.add(scheme);
      long nanos = step == 0 ? first : step == 1 ? second : later.getOrDefault(scheme, 0L);
      measured(choice, scheme, nanos);
    }
    return taken;
  }

  @Test
  void shortStepsToADirectoryAreNotSpentOnTries() {
    // Microseconds as measured: IPS is predicted to be faster, and its first step takes 20 ms.
    SchemeChoice choice = choice(80_000, 80_000, 76_000);
    Map<Scheme, Long> later = Map.of(Scheme.BPS, 15_000L, Scheme.LPS, 15_400L, Scheme.IPS, 20_500L);
    assertThat(eightSteps(choice, 20_200, 15_700, later)).containsOnly(Scheme.BPS);
    assertThat(choice.next()).as("a longer program can afford it").isEqualTo(Scheme.IPS);
  }

  @Test
  void longStepsToARingLeadToTheSchemeThatIsFaster() {
    // The model sees only messages, of which a step to the ring has few.
    SchemeChoice choice = choice(25_000, 35_000, 24_850);
    Map<Scheme, Long> later =
        Map.of(Scheme.BPS, 120_000L, Scheme.LPS, 125_000L, Scheme.IPS, 108_000L);
    List<Scheme> taken = eightSteps(choice, 127_000, 120_000, later);
    assertThat(taken.subList(0, 2)).containsOnly(Scheme.BPS);
    assertThat(taken.subList(2, 8)).containsOnly(Scheme.IPS);
  }

  @Test
  void processesOfMpiThatShareCoresStayWithTheirScheme() {
    SchemeChoice choice = choice(22_000, 22_000, 24_000);
    Map<Scheme, Long> later = Map.of(Scheme.BPS, 24_500L, Scheme.LPS, 24_300L, Scheme.IPS, 27_000L);
    assertThat(eightSteps(choice, 34_500, 28_800, later)).containsOnly(Scheme.BPS);
    // Not even where the first step happens to be fast: no scheme is predicted to be faster.
    SchemeChoice other = choice(22_000, 22_000, 24_000);
    assertThat(eightSteps(other, 28_000, 28_800, later)).containsOnly(Scheme.BPS);
  }

  @Test
  void theEighthStepTriesASchemeThatMayBeFaster() {
    SchemeChoice choice = choice(100, 95, 200);
    measured(choice, Scheme.BPS, 1090, 1000);
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
