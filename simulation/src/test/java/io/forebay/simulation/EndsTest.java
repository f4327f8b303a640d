// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Instances that end while homes die and others take over (P29). */
class EndsTest {
  @ParameterizedTest
  @ValueSource(longs = {5, 12})
  void anInstanceStaysWhileAStageIsDueAndGoesAfterwards(long seed) {
    Scenario scenario = Scenario.of(seed).withoutDraining();
    SimulationRun run =
        new SimulationRun(scenario.world(), scenario.users(), seed)
            .withKills()
            .withEnds(scenario.forced());
    if (scenario.silent()) run.withSilence();
    SimulationRun.Outcome outcome = run.run(Scenario.OPERATIONS, scenario.forced());
    assertThat(outcome.problems()).as("seed %d: %s", seed, scenario.describe()).isEmpty();
    assertThat(run.ended()).as("seed %d", seed).isPositive();
  }
}
