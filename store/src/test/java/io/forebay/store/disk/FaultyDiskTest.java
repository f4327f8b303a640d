// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.store.disk.Disk.FileEntry;
import io.forebay.store.disk.Disk.Reason;
import io.forebay.testing.TestSeed;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a {@link FaultyDisk} keeps, what it may lose, and that it does lose it sometimes. */
@Timeout(60)
final class FaultyDiskTest {
  private static final String NAME = "segment";
  private static final int SECTORS = 16;
  private static final int BYTES = SECTORS * FaultyFile.SECTOR_BYTES;
  private static final int RUNS = 200;
  private static final byte OLD = 1;
  private static final byte NEW = 2;

  /** One run: a disk with one file, filled with the old value and forced. */
  private record Run(FaultyDisk disk, DiskUser user) {
    void fill(byte value) {
      user.write(NAME, 0, filled(value));
    }

    void failForceThenForce() {
      disk.setFaults(Faults.NONE.withForceError(1));
      user.mustFail(Reason.IO, done -> disk.force(NAME, done));
      disk.setFaults(Faults.NONE);
      user.force(NAME);
    }

    /** The value that each sector is filled with; a sector that is not of one value fails. */
    byte[] sectors() {
      byte[] content = user.read(NAME, 0, BYTES);
      byte[] sectors = new byte[SECTORS];
      for (int sector = 0; sector < SECTORS; sector++) {
        int from = sector * FaultyFile.SECTOR_BYTES;
        sectors[sector] = content[from];
        assertThat(Arrays.copyOfRange(content, from, from + FaultyFile.SECTOR_BYTES))
            .containsOnly(sectors[sector]);
      }
      return sectors;
    }
  }

  /** Over many runs, which values were found. */
  private static final class Seen {
    private boolean old;
    private boolean fresh;

    void note(byte[] sectors) {
      for (byte value : sectors) {
        assertThat(value).isIn(OLD, NEW);
        old |= value == OLD;
        fresh |= value == NEW;
      }
    }

    boolean both() {
      return old && fresh;
    }
  }

  private final SplittableRandom seeds = new SplittableRandom(TestSeed.next("FaultyDiskTest"));

  @Test
  void forcedBytesSurviveEverything() {
    forEachRun(
        run -> {
          run.fill(NEW);
          run.user.force(NAME);
          run.disk.powerCut();
          assertThat(run.sectors()).containsOnly(NEW);
          run.disk.killProcess();
          assertThat(run.sectors()).containsOnly(NEW);
        });
  }

  @Test
  void writtenBytesSurviveAKill() {
    forEachRun(
        run -> {
          run.fill(NEW);
          run.disk.killProcess();
          assertThat(run.sectors()).containsOnly(NEW);
        });
  }

  @Test
  void powerCutTakesAnyUnforcedSectors() {
    Seen seen = new Seen();
    forEachRun(
        run -> {
          run.fill(NEW);
          run.disk.powerCut();
          seen.note(run.sectors());
        });
    assertThat(seen.both()).isTrue();
  }

  @Test
  void mappedStoresSurviveAKillButNotAPowerCut() {
    Seen seen = new Seen();
    forEachRun(
        run -> {
          run.user.map(NAME).put(0, filled(NEW));
          run.disk.killProcess();
          assertThat(run.sectors()).containsOnly(NEW);
          run.disk.powerCut();
          seen.note(run.sectors());
        });
    assertThat(seen.both()).isTrue();
  }

  @Test
  void forcedMappedStoresSurviveAPowerCut() {
    forEachRun(
        run -> {
          run.user.map(NAME).put(0, filled(NEW));
          run.user.force(NAME);
          run.disk.powerCut();
          assertThat(run.sectors()).containsOnly(NEW);
        });
  }

  @Test
  void staleViewsDoNotReachTheFile() {
    Run run = start(false);
    ByteBuffer stale = run.user.map(NAME);
    run.disk.killProcess();
    stale.put(0, filled(NEW));
    assertThat(run.sectors()).containsOnly(OLD);
    assertThatThrownBy(() -> run.disk.mapped(NAME)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void laterForceDoesNotSaveWhatAFailedOneLost() {
    Seen seen = new Seen();
    forEachRun(
        run -> {
          run.fill(NEW);
          run.failForceThenForce();
          assertThat(run.sectors()).containsOnly(NEW);
          run.disk.powerCut();
          seen.note(run.sectors());
        });
    assertThat(seen.both()).isTrue();
  }

  @Test
  void laterForceDoesNotSaveLostMappedStoresEither() {
    Seen seen = new Seen();
    forEachRun(
        run -> {
          run.user.map(NAME).put(0, filled(NEW));
          run.failForceThenForce();
          run.disk.powerCut();
          seen.note(run.sectors());
        });
    assertThat(seen.both()).isTrue();
  }

  @Test
  void writingAnewSavesWhatAFailedForceLost() {
    forEachRun(
        run -> {
          run.fill(NEW);
          run.failForceThenForce();
          run.fill(NEW);
          run.user.force(NAME);
          run.disk.powerCut();
          assertThat(run.sectors()).containsOnly(NEW);
        });
  }

  @Test
  void lostSectorsMayLeaveTheCache() {
    Seen seen = new Seen();
    forEachRun(
        run -> {
          run.fill(NEW);
          run.failForceThenForce();
          run.disk.setFaults(Faults.NONE.withEviction(1));
          seen.note(run.sectors());
        });
    assertThat(seen.both()).isTrue();
  }

  @Test
  void forceCoversWhatWasAnsweredWhateverIsWrittenMeanwhile() {
    Seen seen = new Seen();
    forEachRun(
        run -> {
          run.fill((byte) 0);
          run.fill(OLD);
          boolean[] forced = {false};
          run.disk.force(NAME, outcome -> forced[0] = outcome.succeeded());
          run.disk.write(NAME, 0, ByteBuffer.wrap(filled(NEW)), outcome -> {});
          while (!forced[0]) run.disk.poll();
          run.disk.powerCut();
          seen.note(run.sectors());
        });
    assertThat(seen.both()).isTrue();
  }

  @Test
  void writeInFlightIsTornBySectors() {
    boolean[] torn = {false};
    forEachRun(
        run -> {
          run.disk.write(NAME, 0, ByteBuffer.wrap(filled(NEW)), outcome -> shouldNotRun());
          run.disk.killProcess();
          Seen seen = new Seen();
          seen.note(run.sectors());
          torn[0] |= seen.both();
        });
    assertThat(torn[0]).isTrue();
  }

  @Test
  void createInFlightLeavesAnyLength() {
    boolean[] shorter = {false};
    forEachRun(
        run -> {
          run.disk.create("other", BYTES, outcome -> shouldNotRun());
          run.disk.killProcess();
          for (FileEntry entry : run.disk.list()) {
            assertThat(entry.bytes()).isLessThanOrEqualTo(BYTES);
            shorter[0] |= entry.bytes() < BYTES;
          }
        });
    assertThat(shorter[0]).isTrue();
  }

  @Test
  void powerCutMayShortenAFileThatWasNeverForced() {
    boolean[] shorter = {false};
    forEachRun(
        run -> {
          run.user.create("other", BYTES);
          run.disk.powerCut();
          assertThat(run.disk.list()).hasSize(2).contains(new FileEntry(NAME, BYTES));
          shorter[0] |= !run.disk.list().contains(new FileEntry("other", BYTES));
        });
    assertThat(shorter[0]).isTrue();
  }

  @Test
  void memoryIsGoneAfterAPowerCutOnly() {
    Run run = start(true);
    run.disk.killProcess();
    assertThat(run.sectors()).containsOnly(OLD);
    run.disk.powerCut();
    assertThat(run.disk.list()).isEmpty();
  }

  private void forEachRun(Consumer<Run> body) {
    for (int i = 0; i < RUNS; i++) body.accept(start(false));
  }

  private Run start(boolean memory) {
    SplittableRandom random = new SplittableRandom(seeds.nextLong());
    FaultyDisk disk =
        new FaultyDisk(random, memory, Long.MAX_VALUE, Faults.NONE.withWriteBack(0.1));
    Run run = new Run(disk, new DiskUser(disk));
    run.user.create(NAME, BYTES);
    run.fill(OLD);
    run.user.force(NAME);
    return run;
  }

  private static byte[] filled(byte value) {
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, value);
    return bytes;
  }

  private static void shouldNotRun() {
    throw new AssertionError("a completion of a dead process ran");
  }
}
