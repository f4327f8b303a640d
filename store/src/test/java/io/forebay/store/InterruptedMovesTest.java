// SPDX-License-Identifier: Apache-2.0

package io.forebay.store;

import static io.forebay.store.FaultyStore.SEGMENT;
import static io.forebay.store.FaultyStore.records;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.store.disk.Faults;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Level;
import io.forebay.store.tier.StoreConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A crash during a move leaves copies that must stay until the records are safe. On an SSD that
 * refuses forces, crash after crash leaves more of them, until all slots are in use. Then the store
 * must still find room, and lose nothing.
 */
class InterruptedMovesTest {
  private static final int SEEDS = 25;

  /** Many more than there are slots in the reserve and beyond the budget. */
  private static final int CRASHES = 40;

  private static final int SLOTS = 12;

  private static final Faults FAILING = Faults.NONE.withForceError(0.5);

  @ParameterizedTest
  @ValueSource(strings = {"ssd", "hybrid"})
  void copiesDoNotUseUpTheStore(String mode) throws Exception {
    StoreConfig config =
        mode.equals("ssd")
            ? StoreConfig.ssd(SEGMENT, (long) SLOTS * SEGMENT)
            : StoreConfig.hybrid(SEGMENT, 6L * SEGMENT, (long) SLOTS * SEGMENT);
    for (int seed = 0; seed < SEEDS; seed++) {
      FaultyStore world = new FaultyStore(config, seed);
      List<Long> kept = fill(world);
      int polls = 5 + seed;
      for (int crash = 0; crash < CRASHES; crash++) {
        restart(world);
        world.poll(polls);
        world.ssd.setFaults(FAILING);
        world.poll(polls);
      }
      restart(world);
      assertThat(world.journal(1, 1, 0, 1000, Level.FORCED))
          .as("%s, seed %d: %s", mode, seed, world.store.stats())
          .isTrue();
      world.settle();
      assertThat(world.put(1_000_000, 4000, Level.FORCED))
          .as("%s, seed %d: %s", mode, seed, world.store.stats())
          .isTrue();
      world.cutPower();
      assertThat(kept).as("%s, seed %d", mode, seed).allMatch(world::present);
      assertThat(world.present(1_000_000)).isTrue();
    }
  }

  /** Puts forced records into all slots, kills two of three, and says which stay. */
  private static List<Long> fill(FaultyStore world) {
    List<Long> kept = new ArrayList<>();
    List<Scope> killed = new ArrayList<>();
    for (long record = 0; world.put(record, 4000, Level.FORCED); record++) {
      if (record % 3 == 0) kept.add(record);
      else killed.add(records(record, record));
    }
    assertThat(world.kill(Level.FORCED, killed.toArray(Scope[]::new))).isTrue();
    return kept;
  }

  private static void restart(FaultyStore world) throws Exception {
    world.ssd.setFaults(Faults.NONE);
    world.killProcess();
  }
}
