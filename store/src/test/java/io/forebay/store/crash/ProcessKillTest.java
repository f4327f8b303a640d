// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.store.crash.LedgerLine.Upkeep;
import io.forebay.store.tier.StoreConfig;
import io.forebay.testing.TestSeed;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that works on a log is killed with SIGKILL, again and again; everything it had been
 * acknowledged is there. {@code -Dforebay.kills=N} for more kills.
 */
@Timeout(3600)
final class ProcessKillTest {
  private static final int KILLS = Integer.getInteger("forebay.kills", 100);

  /** A log is used so often, then another mode's turn comes. */
  private static final int KILLS_PER_LOG = 20;

  private static final int SEGMENT = 256 * 1024;
  private static final int LINES_MAX = 300;
  private static final int BEGINS_MAX = 2;
  private static final int DELAY_NANOS_MAX = 1_000_000;

  private static final StoreConfig HYBRID = StoreConfig.hybrid(SEGMENT, 10 * SEGMENT, 48 * SEGMENT);
  private static final StoreConfig[] CONFIGS = {
    HYBRID,
    HYBRID,
    StoreConfig.memory(SEGMENT, 32 * SEGMENT),
    HYBRID,
    StoreConfig.ssd(SEGMENT, 48 * SEGMENT)
  };

  @TempDir Path temporary;
  private CrashRig rig;
  private SplittableRandom random;
  private int kills;
  private int duringSpill;
  private int duringCompaction;
  private long bytesCompared;
  private long acknowledgements;

  @BeforeEach
  void prepare() throws Exception {
    random = new SplittableRandom(TestSeed.next("ProcessKillTest"));
    rig = new CrashRig(temporary, CrashRig.memoryDirectory(temporary), random.split());
    rig.train();
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    rig.close();
  }

  @Test
  void whatWasAcknowledgedOutlivesItsProcess() throws Exception {
    for (int log = 0; kills < KILLS; log++) {
      rig.beginLog(CONFIGS[log % CONFIGS.length]);
      for (int i = 0; i < KILLS_PER_LOG && kills < KILLS; i++) killOnce();
      acknowledgements += rig.ledger().acknowledgements();
      rig.endLog();
    }
    System.out.printf(
        "ProcessKillTest: %d kills, %d during a spill, %d during a compaction, %d elsewhere;"
            + " %d acknowledgements, %d MiB compared%n",
        kills,
        duringSpill,
        duringCompaction,
        kills - duringSpill - duringCompaction,
        acknowledgements,
        bytesCompared >> 20);
    assertThat(duringSpill + duringCompaction).isGreaterThanOrEqualTo(KILLS / 2);
  }

  private void killOnce() throws Exception {
    WorkloadProcess process = rig.startWorkload();
    boolean alive = readOn(process);
    assertThat(alive).as("the workload goes on until it is killed: %s", rig.errors()).isTrue();
    long until = System.nanoTime() + random.nextInt(DELAY_NANOS_MAX);
    while (System.nanoTime() < until) Thread.onSpinWait();
    process.kill(rig.ledger());
    kills++;
    Upkeep upkeep = rig.ledger().upkeep();
    if (upkeep == Upkeep.SPILL) duringSpill++;
    if (upkeep == Upkeep.COMPACTION) duringCompaction++;
    bytesCompared += rig.checkAfter(Ledger.Crash.KILL);
  }

  /** Reads up to where the kill shall be: anywhere, or where upkeep has begun. */
  private boolean readOn(WorkloadProcess process) throws Exception {
    if (!process.readLines(1 + random.nextInt(LINES_MAX), rig.ledger())) return false;
    boolean anywhere = duringSpill + duringCompaction > kills / 2 + 2;
    if (anywhere) return true;
    boolean spill = rig.config().hasSsd() && duringSpill <= duringCompaction;
    for (int begins = random.nextInt(BEGINS_MAX); begins >= 0; begins--) {
      if (!process.readUntil(spill ? Upkeep.SPILL : Upkeep.COMPACTION, rig.ledger())) return false;
    }
    return true;
  }
}
