// SPDX-License-Identifier: Apache-2.0

package io.forebay.store;

import static io.forebay.store.FaultyStore.SEGMENT;
import static io.forebay.store.FaultyStore.records;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.store.index.HeldBytes;
import io.forebay.store.record.Level;
import io.forebay.store.tier.StoreConfig;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a log holds by instance and group is the same after a restart. */
class HeldBytesTest {
  private static final int BYTES = 1000;
  private static final int INSTANCE = FaultyStore.FILE.instance();

  static List<StoreConfig> logs() {
    return List.of(
        StoreConfig.memory(SEGMENT, 20 * SEGMENT),
        StoreConfig.ssd(SEGMENT, 20 * SEGMENT),
        StoreConfig.hybrid(SEGMENT, 6 * SEGMENT, 20 * SEGMENT));
  }

  private static void put(FaultyStore world, int from, int to) {
    for (int i = from; i < to; i++) assertThat(world.put(i, BYTES, Level.KEPT)).isTrue();
  }

  private static void assertHolds(FaultyStore world, int records) {
    long bytes = (long) records * BYTES;
    assertThat(world.store.held().bytes()).isEqualTo(bytes);
    assertThat(world.store.held().bytes(INSTANCE, 0)).isEqualTo(bytes);
    assertThat(world.store.held().bytes(INSTANCE + 1, 0)).isZero();
    assertThat(world.store.held().bytes(INSTANCE, 1)).isZero();
  }

  @ParameterizedTest
  @MethodSource("logs")
  void killedRecordsDoNotCountAndTheOthersDoAfterARestart(StoreConfig config) throws Exception {
    FaultyStore world = new FaultyStore(config, 1);
    put(world, 0, 200);
    assertHolds(world, 200);
    assertThat(world.kill(Level.KEPT, records(0, 79))).isTrue();
    world.settle();
    assertHolds(world, 120);
    world.killProcess();
    world.settle();
    assertHolds(world, 120);
    put(world, 200, 230);
    // Enough is dead for the log to move what is left of the first segments.
    assertThat(world.kill(Level.KEPT, records(80, 169))).isTrue();
    world.settle();
    assertHolds(world, 60);
    world.killProcess();
    world.settle();
    assertHolds(world, 60);
  }

  @Test
  void journalsAreNotHeld() throws Exception {
    FaultyStore world = new FaultyStore(StoreConfig.memory(SEGMENT, 20 * SEGMENT), 1);
    assertThat(world.journal(1, 1, 1, BYTES, Level.KEPT)).isTrue();
    assertHolds(world, 0);
    world.killProcess();
    assertHolds(world, 0);
  }

  @Test
  void countsGoInAndOutByInstanceAndGroup() {
    HeldBytes held = new HeldBytes();
    held.add(1, 1, 10);
    held.add(1, -1, 20);
    held.add(2, 1, 40);
    assertThat(held.bytes()).isEqualTo(70);
    assertThat(held.bytes(1, 1)).isEqualTo(10);
    assertThat(held.bytes(1, -1)).isEqualTo(20);
    held.add(1, 1, -10);
    assertThat(held.bytes(1, 1)).isZero();
    assertThat(held.bytes(2, 1)).isEqualTo(40);
    assertThat(held.bytes()).isEqualTo(60);
  }
}
