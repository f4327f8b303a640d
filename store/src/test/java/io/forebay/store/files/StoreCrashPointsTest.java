// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.store.disk.FaultyDisk;
import io.forebay.store.disk.SimulatedCrash;
import io.forebay.store.files.StoreWorld.Crash;
import io.forebay.store.tier.StoreConfig;
import io.forebay.testing.TestSeed;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every crash point of every workload of up to two operations, and of one in sixteen of those of
 * three, others each time: the process dies inside each single call to a disk, or the power goes,
 * and what was acknowledged must be there afterwards. {@code -Dforebay.crash.points.every=1} runs
 * all.
 */
class StoreCrashPointsTest {
  private static final int S = StoreWorld.SEGMENT;
  private static final FileId KEPT = new FileId(1, 1);
  private static final FileId FORCED = new FileId(1, 2);
  private static final int EVERY = Integer.getInteger("forebay.crash.points.every", 16);

  /** What a workload is made of. Each waits for what it needs, so that crashes fall inside it. */
  private enum Operation {
    WRITE_KEPT {
      @Override
      void on(StoreWorld world) {
        world.write(KEPT, 0, 3000);
        world.poll(3);
      }
    },
    WRITE_FORCED {
      @Override
      void on(StoreWorld world) {
        world.write(FORCED, 0, 3000);
        world.poll(3);
      }
    },
    WRITE_PART {
      @Override
      void on(StoreWorld world) {
        world.write(FORCED, 1000, 700);
      }
    },
    TRUNCATE {
      @Override
      void on(StoreWorld world) {
        world.truncate(FORCED, 1500);
        world.poll(3);
      }
    },
    DELETE {
      @Override
      void on(StoreWorld world) {
        world.delete(FORCED);
        world.poll(3);
      }
    },
    PUT_AND_KILL {
      @Override
      void on(StoreWorld world) {
        StoreWorld.Written written = world.put(FORCED, 500);
        if (written != null) world.await(written);
        world.killUnshown();
        world.poll(3);
      }
    },
    CLEAN_AND_EVICT {
      @Override
      void on(StoreWorld world) {
        world.markClean(FORCED);
        world.poll(2);
        world.evict(Long.MAX_VALUE);
        world.poll(5);
      }
    },
    SPILL {
      @Override
      void on(StoreWorld world) {
        world.seal();
        world.spill();
        world.poll(8);
      }
    },
    COMPACT {
      @Override
      void on(StoreWorld world) {
        world.seal();
        world.compact();
        world.poll(20);
      }
    },
    REWRITE_JOURNAL {
      @Override
      void on(StoreWorld world) {
        world.rewriteJournal();
        world.poll(8);
      }
    };

    abstract void on(StoreWorld world);
  }

  private static StoreConfig config(StoreConfig.Mode mode) {
    return switch (mode) {
      case MEMORY -> StoreConfig.memory(S, 7L * S);
      case SSD -> StoreConfig.ssd(S, 7L * S);
      case HYBRID -> StoreConfig.hybrid(S, 6L * S, 7L * S);
    };
  }

  @ParameterizedTest
  @EnumSource
  void whatWasAcknowledgedSurvivesACrashAnywhere(StoreConfig.Mode mode) throws Exception {
    long points = 0;
    int number = (int) Math.floorMod(TestSeed.next("StoreCrashPointsTest"), (long) EVERY);
    for (List<Operation> workload : workloads()) {
      if (workload.size() == 3 && number++ % EVERY != 0) continue;
      points += crashEverywhere(mode, workload, Crash.KILL);
      // A power cut takes all that a store in memory has.
      if (mode != StoreConfig.Mode.MEMORY) {
        points += crashEverywhere(mode, workload, Crash.POWER_CUT);
      }
    }
    System.out.println("crash points in mode " + mode + ": " + points);
    assertThat(points).isGreaterThan(100);
  }

  private static List<List<Operation>> workloads() {
    List<List<Operation>> all = new ArrayList<>();
    for (Operation first : Operation.values()) {
      all.add(List.of(first));
      for (Operation second : Operation.values()) {
        all.add(List.of(first, second));
        for (Operation third : Operation.values()) all.add(List.of(first, second, third));
      }
    }
    return all;
  }

  private static long crashEverywhere(StoreConfig.Mode mode, List<Operation> workload, Crash kind)
      throws Exception {
    long points = 0;
    for (boolean onSsd : new boolean[] {false, true}) {
      for (long step = 1; ; step++) {
        try {
          if (!crashAt(mode, workload, kind, onSsd, step)) break;
        } catch (AssertionError | RuntimeException failure) {
          throw new AssertionError(
              "%s, %s, %s at step %d of the %s"
                  .formatted(mode, workload, kind, step, onSsd ? "SSD" : "memory"),
              failure);
        }
        points++;
      }
      // The run that outlived the step crashed at its end.
      points++;
    }
    return points;
  }

  /** Whether the workload was still running at that step. */
  private static boolean crashAt(
      StoreConfig.Mode mode, List<Operation> workload, Crash kind, boolean onSsd, long step)
      throws Exception {
    StoreWorld world = new StoreWorld(config(mode), step);
    FaultyDisk disk = onSsd ? world.ssd : world.memory;
    disk.crashAfter(step);
    boolean crashed = false;
    try {
      for (Operation operation : workload) operation.on(world);
    } catch (SimulatedCrash crash) {
      crashed = true;
    }
    world.crash(kind);
    world.verify(false);
    world.write(FORCED, 200, 100);
    world.settle();
    world.verify(false);
    return crashed;
  }
}
