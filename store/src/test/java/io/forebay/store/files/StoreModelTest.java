// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.files;

import io.forebay.base.FileId;
import io.forebay.store.files.StoreWorld.Crash;
import io.forebay.store.tier.StoreConfig;
import io.forebay.testing.TestSeed;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random operations and crashes against a plain model, in every mode. */
class StoreModelTest {
  private static final int RUNS = Integer.getInteger("forebay.model.runs", 40);
  private static final int OPERATIONS = 250;
  private static final int S = StoreWorld.SEGMENT;

  private static StoreConfig config(StoreConfig.Mode mode) {
    return switch (mode) {
      case MEMORY -> StoreConfig.memory(S, 14L * S);
      case SSD -> StoreConfig.ssd(S, 14L * S);
      case HYBRID -> StoreConfig.hybrid(S, 7L * S, 13L * S);
    };
  }

  @ParameterizedTest
  @EnumSource
  void anythingThatIsDoneIsKept(StoreConfig.Mode mode) throws Exception {
    long seed = TestSeed.first("StoreModelTest");
    for (int run = 0; run < TestSeed.runs(RUNS); run++) {
      try {
        run(mode, seed + run);
      } catch (Throwable failure) {
        throw new AssertionError("-Dforebay.seed=" + (seed + run) + " in mode " + mode, failure);
      }
    }
  }

  private static void run(StoreConfig.Mode mode, long seed) throws Exception {
    StoreWorld world = new StoreWorld(config(mode), seed);
    try {
      for (int i = 0; i < OPERATIONS; i++) {
        step(world);
        if (Boolean.getBoolean("forebay.model.check")) world.checkPresent();
      }
      world.settle();
      world.verify(false);
    } catch (AssertionError | RuntimeException failure) {
      throw new AssertionError("after " + world.trace(), failure);
    }
  }

  private static void step(StoreWorld world) throws Exception {
    FileId file = world.someFile();
    int dice = world.random.nextInt(100);
    if (dice < 30) world.write(file, world.someOffset(), 1 + world.random.nextInt(6000));
    else if (dice < 38) world.put(file, world.random.nextInt(3000));
    else if (dice < 46) world.begin(file, 1 + world.random.nextInt(8000));
    else if (dice < 54) world.endOne(world.random.nextInt(3) > 0);
    else if (dice < 59) world.truncate(file, world.someOffset());
    else if (dice < 63) world.delete(file);
    else if (dice < 66) world.killUnshown();
    else if (dice < 69) world.markClean(file);
    else if (dice < 72) world.evict(1 + world.random.nextInt(20_000));
    else if (dice < 76) world.spill();
    else if (dice < 80) world.compact();
    else if (dice < 82) world.seal();
    else if (dice < 83) world.rewriteJournal();
    else if (dice < 95) world.poll(world.random.nextInt(4));
    else if (dice < 97) world.settle();
    else {
      world.crash(world.random.nextInt(3) == 0 ? Crash.POWER_CUT : Crash.KILL);
      world.verify(false);
    }
  }
}
