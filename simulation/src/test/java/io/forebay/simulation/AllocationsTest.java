// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.simulation.world.WorldOptions;
import org.junit.jupiter.api.Test;

/** Instances with a capacity come and go while servers do. */
class AllocationsTest {
  private static final int SEEDS = 2;

  @Test
  void noMapPromisesMoreThanThereIs() {
    SeededRuns.check(
        SEEDS,
        seed ->
            new SimulationRun(WorldOptions.ROUGH.withSeats(4, 2), 3, seed)
                .withKills()
                .withSilence()
                .withGrowth()
                .withAllocations(),
        Scenario.OPERATIONS,
        false,
        (run, outcome) -> assertThat(run.allocated()).isPositive());
  }
}
