package io.forebay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Random users on simulated clusters see only what is promised. */
class SimulationTest {
  private static final int OPERATIONS = 300;
  private static final int USERS = 4;

  private static final Long GIVEN_SEED = Long.getLong("forebay.seed");

  private static void run(WorldOptions options, boolean forced, int seeds) {
    long first = GIVEN_SEED != null ? GIVEN_SEED : new SplittableRandom().nextLong();
    SplittableRandom draw = new SplittableRandom(first);
    for (int i = 0; i < (GIVEN_SEED != null ? 1 : seeds); i++) {
      long seed = i == 0 ? first : draw.nextLong();
      System.out.println("simulation: -Dforebay.seed=" + seed);
      SimulationRun.Outcome outcome =
          new SimulationRun(options, USERS, seed).run(OPERATIONS, forced);
      assertThat(outcome.problems()).as("seed %d", seed).isEqualTo(List.of());
      assertThat(outcome.operations()).isGreaterThanOrEqualTo(OPERATIONS);
    }
  }

  @Test
  void calmNetwork() {
    run(WorldOptions.CALM, false, 10);
  }

  @Test
  void lateReorderedAndDuplicatedMessages() {
    run(WorldOptions.ROUGH, false, 10);
  }

  @Test
  void forcedWrites() {
    run(WorldOptions.ROUGH, true, 5);
  }

  @Test
  void threeCopiesOnFiveSeats() {
    run(WorldOptions.ROUGH.withSeats(5, 3), false, 5);
  }

  @Test
  void oneCopy() {
    run(WorldOptions.ROUGH.withSeats(2, 1), false, 5);
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
