package io.forebay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Processes are killed at random points; what was promised holds, and all comes back. */
class KilledProcessesTest {
  private static final int OPERATIONS = 400;
  private static final int USERS = 4;
  private static final long SNAPSHOT_BYTES = 2_000;

  private static final Long GIVEN_SEED = Long.getLong("forebay.seed");
  private static final int SEEDS_TIMES = Integer.getInteger("forebay.seeds.times", 1);

  private static void run(WorldOptions options, boolean forced, int seeds) {
    long first = GIVEN_SEED != null ? GIVEN_SEED : new SplittableRandom().nextLong();
    SplittableRandom draw = new SplittableRandom(first);
    for (int i = 0; i < (GIVEN_SEED != null ? 1 : seeds * SEEDS_TIMES); i++) {
      long seed = i == 0 ? first : draw.nextLong();
      System.out.println("simulation: -Dforebay.seed=" + seed);
      SimulationRun.Outcome outcome =
          new SimulationRun(options, USERS, seed).withKills().run(OPERATIONS, forced);
      assertThat(outcome.problems()).as("seed %d", seed).isEqualTo(List.of());
      assertThat(outcome.killed()).isPositive();
    }
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
  void snapshotsAllTheTime() {
    run(WorldOptions.ROUGH.withSnapshotBytes(SNAPSHOT_BYTES), false, 5);
  }

  @Test
  void snapshotsOfForcedJournals() {
    run(WorldOptions.ROUGH.withSnapshotBytes(SNAPSHOT_BYTES), true, 3);
  }
}
