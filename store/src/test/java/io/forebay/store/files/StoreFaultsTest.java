// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.store.disk.Disk;
import io.forebay.store.disk.Faults;
import io.forebay.store.files.StoreWorld.Crash;
import io.forebay.store.tier.StoreConfig;
import io.forebay.testing.TestSeed;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Devices that fail, fill up, or change bits. */
class StoreFaultsTest {
  private static final int RUNS = Integer.getInteger("forebay.faults.runs", 60);
  private static final int S = StoreWorld.SEGMENT;

  private static StoreConfig config(StoreConfig.Mode mode) {
    return mode == StoreConfig.Mode.SSD
        ? StoreConfig.ssd(S, 20L * S)
        : StoreConfig.hybrid(S, 6L * S, 20L * S);
  }

  private static void someSeeds(String test, SeededRun run) throws Exception {
    long seed = TestSeed.first("StoreFaultsTest");
    for (int i = 0; i < TestSeed.runs(RUNS); i++) {
      try {
        run.with(seed + i);
      } catch (AssertionError | RuntimeException failure) {
        throw new AssertionError(test + ": -Dforebay.seed=" + (seed + i), failure);
      }
    }
  }

  private interface SeededRun {
    void with(long seed) throws Exception;
  }

  @ParameterizedTest
  @EnumSource(names = {"SSD", "HYBRID"})
  void whatWasAcknowledgedOutlivesFilesThatFail(StoreConfig.Mode mode) throws Exception {
    AtomicInteger suspects = new AtomicInteger();
    someSeeds("failing files in mode " + mode, seed -> suspects.addAndGet(fail(mode, seed)));
    if (!TestSeed.isGiven()) assertThat(suspects).hasPositiveValue();
  }

  private static int fail(StoreConfig.Mode mode, long seed) throws Exception {
    StoreWorld world = new StoreWorld(config(mode), seed);
    world.ssd.setFaults(
        Faults.NONE.withWriteError(0.01).withForceError(0.03).withCreateNoSpace(0.2));
    for (int i = 0; i < 60; i++) {
      FileId file = world.someFile();
      world.put(file, 1 + world.random.nextInt(4000));
      if (i % 10 == 0) world.store.seal();
      world.poll(world.random.nextInt(5));
    }
    world.ssd.setFaults(Faults.NONE);
    world.settle();
    world.verify(false);
    // What failed has been moved by now, so that nothing depends on it any more.
    world.crash(Crash.KILL);
    world.verify(false);
    world.crash(Crash.POWER_CUT);
    world.verify(false);
    return world.suspects;
  }

  @Test
  void aFlippedBitCostsAtMostTheRecordItIsIn() throws Exception {
    someSeeds("flipped bit", StoreFaultsTest::flip);
  }

  private static void flip(long seed) throws Exception {
    StoreWorld world = new StoreWorld(config(StoreConfig.Mode.SSD), seed);
    for (int i = 0; i < 60; i++) world.put(world.someFile(), 1 + world.random.nextInt(4000));
    world.store.seal();
    world.settle();
    List<String> slots = world.ssd.list().stream().map(Disk.FileEntry::name).toList();
    long before = world.store.stats().recordsIndexed();
    world.ssd.flipAnyBit(slots.get(world.random.nextInt(slots.size())));
    world.crash(Crash.KILL, true);
    world.verify(true);
    long lost = before - world.soundRecords();
    assertThat(lost).as("lost, with %s", world.report).isBetween(0L, 1L);
    if (lost > 0) assertThat(world.report.sound()).isFalse();
  }
}
