// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.store.tier.StoreConfig;
import io.forebay.testing.Ext4Volume;
import io.forebay.testing.TestSeed;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The power fails under a log on a real file system; everything that was acknowledged as forced is
 * there. {@code -Dforebay.cuts=N} for more cuts.
 */
@Timeout(600)
final class PowerCutTest {
  private static final int CUTS_PER_MODE = Integer.getInteger("forebay.cuts", 10) / 2;
  private static final int SEGMENT = 256 * 1024;
  private static final long VOLUME_BYTES = 128L * 1024 * 1024;
  private static final int LINES_MAX = 1500;
  private static final int DELAY_NANOS_MAX = 5_000_000;

  @TempDir Path temporary;
  private Ext4Volume volume;
  private CrashRig rig;
  private SplittableRandom random;

  @BeforeEach
  void prepare() throws Exception {
    assumeTrue(
        Ext4Volume.possible(), "needs ext4 on a loop device: run dev/optional-packages as root");
    random = new SplittableRandom(TestSeed.next("PowerCutTest"));
    volume = Ext4Volume.make(temporary, VOLUME_BYTES);
    rig = new CrashRig(volume.root(), CrashRig.memoryDirectory(temporary), random.split());
    rig.train();
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    try {
      if (rig != null) rig.close();
    } finally {
      if (volume != null) volume.close();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SSD", "HYBRID"})
  void whatWasForcedOutlivesAPowerCut(StoreConfig.Mode mode) throws Exception {
    rig.beginLog(
        mode == StoreConfig.Mode.SSD
            ? StoreConfig.ssd(SEGMENT, 48 * SEGMENT)
            : StoreConfig.hybrid(SEGMENT, 10 * SEGMENT, 48 * SEGMENT));
    long bytesCompared = 0;
    for (int cuts = 0; cuts < CUTS_PER_MODE; cuts++) {
      WorkloadProcess process = rig.startWorkload();
      boolean alive = process.readLines(1 + random.nextInt(LINES_MAX), rig.ledger());
      assertThat(alive).as("the workload goes on until the cut: %s", rig.errors()).isTrue();
      long until = System.nanoTime() + random.nextInt(DELAY_NANOS_MAX);
      while (System.nanoTime() < until) Thread.onSpinWait();
      // The kernel lets an fdatasync succeed that lasts while the file system is shut down.
      process.freeze();
      volume.cutPower();
      process.kill(rig.ledger());
      volume.restart();
      rig.loseMemory();
      bytesCompared += rig.checkAfter(Ledger.Crash.POWER_CUT);
    }
    System.out.printf(
        "PowerCutTest: %d cuts, mode %s; %d acknowledgements, %d MiB compared%n",
        CUTS_PER_MODE, mode, rig.ledger().acknowledgements(), bytesCompared >> 20);
  }
}
