// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.store.disk.Disk.FileEntry;
import io.forebay.store.disk.Disk.Outcome;
import io.forebay.store.disk.Disk.Reason;
import io.forebay.testing.TestSeed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That a {@link FaultyDisk} fails on demand, dies at any step, and does both alike for a seed. */
@Timeout(60)
final class FaultyDiskCrashTest {
  private static final String NAME = "segment";
  private static final int SECTORS = 16;
  private static final int BYTES = SECTORS * FaultyFile.SECTOR_BYTES;
  private static final int SEEDS = 200;

  private final SplittableRandom seeds = new SplittableRandom(TestSeed.next("FaultyDiskCrashTest"));

  @Test
  void requestsFailAsOftenAsAsked() {
    FaultyDisk disk = disk(seeds.nextLong(), Faults.NONE);
    DiskUser user = new DiskUser(disk);
    user.create(NAME, BYTES);
    ByteBuffer buffer = ByteBuffer.allocate(BYTES);
    disk.setFaults(Faults.NONE.withCreateError(1));
    user.mustFail(Reason.IO, done -> disk.create("other", 1, done));
    disk.setFaults(Faults.NONE.withCreateNoSpace(1));
    user.mustFail(Reason.NO_SPACE, done -> disk.create("other", 1, done));
    disk.setFaults(Faults.NONE.withWriteError(1));
    user.mustFail(Reason.IO, done -> disk.write(NAME, 0, buffer, done));
    disk.setFaults(Faults.NONE.withReadError(1));
    user.mustFail(Reason.IO, done -> disk.read(NAME, 0, buffer, done));
    user.mustFail(Reason.IO, done -> disk.map(NAME, done));
    disk.setFaults(Faults.NONE.withForceError(1));
    user.mustFail(Reason.IO, done -> disk.force(NAME, done));
    assertThat(buffer.position()).isZero();
    assertThat(disk.list()).containsExactly(new FileEntry(NAME, BYTES));
  }

  @Test
  void capacityIsABound() {
    FaultyDisk disk =
        new FaultyDisk(new SplittableRandom(seeds.nextLong()), false, BYTES, Faults.NONE);
    DiskUser user = new DiskUser(disk);
    user.create(NAME, BYTES - 1);
    user.mustFail(Reason.NO_SPACE, done -> disk.create("other", 2, done));
  }

  @Test
  void scanShowsAnUnreadableSectorAsAGap() throws IOException {
    FaultyDisk disk = disk(seeds.nextLong(), Faults.NONE);
    DiskUser user = new DiskUser(disk);
    user.create(NAME, BYTES);
    int chunkBytes = 2 * FaultyFile.SECTOR_BYTES;
    disk.spoilSector(NAME, 5L * FaultyFile.SECTOR_BYTES);
    List<Long> gaps = new ArrayList<>();
    int[] chunks = {0};
    disk.scan(
        NAME,
        0,
        BYTES,
        chunkBytes,
        (position, bytes, chunk) -> {
          chunks[0]++;
          if (chunk == null) gaps.add(position);
        });
    assertThat(gaps).containsExactly(2L * chunkBytes);
    assertThat(chunks[0]).isEqualTo(BYTES / chunkBytes);
    user.write(NAME, 0, new byte[BYTES]);
    assertThat(user.read(NAME, 0, BYTES)).isEqualTo(new byte[BYTES]);
  }

  @Test
  void flippedBitsStay() throws IOException {
    FaultyDisk disk = disk(seeds.nextLong(), Faults.NONE);
    DiskUser user = new DiskUser(disk);
    user.create(NAME, BYTES);
    user.force(NAME);
    long bit = disk.flipAnyBit(NAME);
    disk.powerCut();
    byte[] expected = new byte[BYTES];
    expected[(int) (bit / Byte.SIZE)] = (byte) (1 << (bit % Byte.SIZE));
    assertThat(user.read(NAME, 0, BYTES)).isEqualTo(expected);
    disk.flipBit(NAME, bit);
    assertThat(user.read(NAME, 0, BYTES)).isEqualTo(new byte[BYTES]);
  }

  @Test
  void sameSeedSameBehaviour() {
    for (int i = 0; i < SEEDS; i++) {
      long seed = seeds.nextLong();
      assertThat(history(seed)).isEqualTo(history(seed));
    }
  }

  @Test
  void everyStepCanBeTheLast() {
    long seed = seeds.nextLong();
    FaultyDisk whole = disk(seed, Faults.NONE);
    createWriteForce(whole);
    long steps = whole.steps();
    assertThat(steps).isEqualTo(6);
    for (long last = 1; last <= steps; last++) {
      FaultyDisk disk = disk(seed, Faults.NONE);
      disk.crashAfter(last);
      assertThatThrownBy(() -> createWriteForce(disk)).isInstanceOf(SimulatedCrash.class);
      assertThatThrownBy(disk::poll).isInstanceOf(SimulatedCrash.class);
      assertThat(disk.steps()).isEqualTo(last);
      disk.close();
      disk.powerCut();
      disk.drainAll();
      assertThat(disk.list().size()).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void drainThatNeverEndsIsAMistake() {
    FaultyDisk disk = disk(seeds.nextLong(), Faults.NONE);
    Disk.Completion[] again = new Disk.Completion[1];
    again[0] = outcome -> disk.force(NAME, again[0]);
    again[0].completed(Outcome.Success.DONE);
    assertThatThrownBy(disk::drainAll).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closedDiskServesTheNextProcess() {
    FaultyDisk disk = disk(seeds.nextLong(), Faults.NONE);
    DiskUser user = new DiskUser(disk);
    user.create(NAME, BYTES);
    disk.close();
    assertThatThrownBy(disk::list).isInstanceOf(IllegalStateException.class);
    disk.killProcess();
    assertThat(disk.list()).containsExactly(new FileEntry(NAME, BYTES));
  }

  private static FaultyDisk disk(long seed, Faults faults) {
    return new FaultyDisk(new SplittableRandom(seed), false, Long.MAX_VALUE, faults);
  }

  private static void createWriteForce(FaultyDisk disk) {
    DiskUser user = new DiskUser(disk);
    user.create(NAME, BYTES);
    user.write(NAME, 0, new byte[BYTES]);
    user.force(NAME);
  }

  /** All that can be seen of a disk under a load that a seed makes up. */
  private static String history(long seed) {
    FaultyDisk disk = disk(seed, new Faults(0.1, 0.1, 0.1, 0.1, 0.3, 0.1, 0.5));
    StringBuilder history = new StringBuilder();
    SplittableRandom load = new SplittableRandom(seed);
    for (int i = 0; i < 50; i++) {
      String name = "f" + load.nextInt(3);
      int request = i;
      Disk.Completion note = outcome -> history.append(request).append(outcome).append('\n');
      switch (load.nextInt(5)) {
        case 0 -> disk.create(name, BYTES, note);
        case 1 -> disk.write(name, 0, ByteBuffer.wrap(filled((byte) i)), note);
        case 2 -> disk.force(name, note);
        case 3 -> disk.delete(name, note);
        default -> disk.poll();
      }
      if (load.nextInt(20) == 0) disk.powerCut();
    }
    disk.setFaults(Faults.NONE);
    disk.killProcess();
    DiskUser user = new DiskUser(disk);
    for (FileEntry entry : disk.list()) {
      byte[] content = user.read(entry.name(), 0, (int) entry.bytes());
      history.append(entry).append(Arrays.hashCode(content)).append('\n');
    }
    return history.append(disk.steps()).toString();
  }

  private static byte[] filled(byte value) {
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, value);
    return bytes;
  }
}
