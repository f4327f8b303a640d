// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Advisory locks while homes die and others take over (P27). */
class LocksTest {
  @ParameterizedTest
  @ValueSource(longs = {3, 27})
  void noTwoClientsHoldWhatExcludesEachOther(long seed) {
    Scenario scenario = Scenario.of(seed).withLocks();
    SimulationRun run =
        new SimulationRun(scenario.world(), scenario.users(), seed).withKills().withLocks();
    if (scenario.silent()) run.withSilence();
    SimulationRun.Outcome outcome = run.run(Scenario.OPERATIONS, scenario.forced());
    assertThat(outcome.problems()).as("seed %d: %s", seed, scenario.describe()).isEmpty();
    assertThat(run.locksTaken()).as("seed %d", seed).isGreaterThan(5);
  }
}
