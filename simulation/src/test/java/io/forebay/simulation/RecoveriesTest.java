// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A manager that loses its log is brought back from the maps that seats remember (P36). */
class RecoveriesTest {
  @ParameterizedTest
  @ValueSource(longs = {-6533675609759106868L, 4433118356046984572L, -6128975448053817635L})
  void aManagerWithoutItsLogGoesOnWhereItsSeatsAre(long seed) {
    Scenario scenario = Scenario.of(seed).withoutDraining().withoutLosses();
    SimulationRun run =
        new SimulationRun(scenario.world(), scenario.users(), seed).withKills().withRecoveries();
    if (scenario.growing()) run.withGrowth();
    SimulationRun.Outcome outcome = run.run(Scenario.OPERATIONS, scenario.forced());
    assertThat(outcome.problems()).as("seed %d: %s", seed, scenario.describe()).isEmpty();
    assertThat(run.recovered()).as("seed %d", seed).isPositive();
  }
}
