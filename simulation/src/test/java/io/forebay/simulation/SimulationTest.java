// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.simulation.world.WorldOptions;
import org.junit.jupiter.api.Test;

/** Random users on simulated clusters see only what is promised. */
class SimulationTest {
  private static final int OPERATIONS = 300;
  private static final int USERS = 4;

  private static void run(WorldOptions options, boolean forced, int seeds) {
    SeededRuns.check(
        seeds,
        seed -> new SimulationRun(options, USERS, seed),
        OPERATIONS,
        forced,
        (run, outcome) -> assertThat(outcome.operations()).isGreaterThanOrEqualTo(OPERATIONS));
  }

  @Test
  void calmNetwork() {
    run(WorldOptions.CALM, false, 5);
  }

  @Test
  void lateReorderedAndDuplicatedMessages() {
    run(WorldOptions.ROUGH, false, 5);
  }

  @Test
  void forcedWrites() {
    run(WorldOptions.ROUGH, true, 3);
  }

  @Test
  void threeCopiesOnFiveSeats() {
    run(WorldOptions.ROUGH.withSeats(5, 3), false, 3);
  }

  @Test
  void oneCopy() {
    run(WorldOptions.ROUGH.withSeats(2, 1), false, 3);
  }

  @Test
  void sameSeedSameTraceHash() {
    long first =
        new SimulationRun(WorldOptions.ROUGH, USERS, 99).run(OPERATIONS, false).traceHash();
    long again =
        new SimulationRun(WorldOptions.ROUGH, USERS, 99).run(OPERATIONS, false).traceHash();
    assertThat(again).isEqualTo(first);
  }
}
