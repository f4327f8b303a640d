// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.simulation.SeededRuns;
import io.forebay.simulation.SimulationRun;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.store.tier.StoreConfig;
import org.junit.jupiter.api.Test;

/** Processes are killed at random points; what was promised holds, and all comes back. */
class KilledProcessesTest {
  private static final int OPERATIONS = 300;
  private static final int USERS = 4;
  private static final long SNAPSHOT_BYTES = 2_000;
  private static final int SEGMENT_BYTES = 512 * 1024;

  private static void run(WorldOptions options, boolean forced, boolean parted, int seeds) {
    SeededRuns.check(
        seeds,
        seed -> {
          SimulationRun run = new SimulationRun(options, USERS, seed).withKills();
          return parted ? run.withPartitions() : run;
        },
        OPERATIONS,
        forced,
        (run, outcome) -> assertThat(outcome.faultCount()).isPositive());
  }

  @Test
  void calmNetwork() {
    run(WorldOptions.CALM, false, false, 2);
  }

  @Test
  void lateReorderedAndDuplicatedMessages() {
    run(WorldOptions.ROUGH, false, false, 2);
  }

  @Test
  void partitionsToo() {
    run(WorldOptions.ROUGH, false, true, 1);
  }

  @Test
  void holesToo() {
    SeededRuns.check(
        2,
        seed ->
            new SimulationRun(WorldOptions.ROUGH.withSnapshotBytes(SNAPSHOT_BYTES), USERS, seed)
                .withKills()
                .withPartitions()
                .withHoles(),
        OPERATIONS,
        false,
        (run, outcome) -> assertThat(outcome.faultCount()).isPositive());
  }

  @Test
  void forcedWrites() {
    run(WorldOptions.ROUGH, true, false, 1);
  }

  @Test
  void threeCopiesOnFiveSeats() {
    run(WorldOptions.ROUGH.withSeats(5, 3), false, false, 1);
  }

  @Test
  void oneCopy() {
    run(WorldOptions.ROUGH.withSeats(2, 1), false, false, 1);
  }

  @Test
  void memoryThatDiesWithItsProcess() {
    StoreConfig ssd = StoreConfig.ssd(SEGMENT_BYTES, 40L * SEGMENT_BYTES);
    run(WorldOptions.ROUGH.withStore(ssd).withSnapshotBytes(SNAPSHOT_BYTES), false, false, 1);
  }

  @Test
  void snapshotsAllTheTime() {
    run(WorldOptions.ROUGH.withSnapshotBytes(SNAPSHOT_BYTES), false, false, 2);
  }

  @Test
  void snapshotsOfForcedJournals() {
    run(WorldOptions.ROUGH.withSnapshotBytes(SNAPSHOT_BYTES), true, false, 1);
  }
}
