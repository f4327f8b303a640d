// SPDX-License-Identifier: Apache-2.0

package io.forebay.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.disk.Disk;
import io.forebay.store.disk.MemoryDisk;
import io.forebay.store.log.LogId;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.Scope;
import io.forebay.store.log.SegmentHeader;
import io.forebay.store.record.Level;
import io.forebay.store.segment.Reserve;
import io.forebay.store.tier.SlotPool;
import io.forebay.store.tier.StoreConfig;
import io.forebay.testing.TestSeed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A log that opens with other records than it had says that something is wrong with it. */
class DamagedLogTest {
  private static final int SEGMENT = 64 * 1024;
  private static final int SECTOR = 512;
  private static final int DAMAGES = 400;
  private static final int RECORDS = 160;
  private static final StoreConfig CONFIG = StoreConfig.memory(SEGMENT, 24 * SEGMENT);

  private final long seed = TestSeed.first("DamagedLogTest");
  private final SplittableRandom random = new SplittableRandom(seed);
  private long now;

  private static MemoryDisk disk() {
    return MemoryDisk.onHeap(Long.MAX_VALUE, 10_000, () -> {});
  }

  private StoreOpening.Opened open(Disk disk) throws Exception {
    return StoreOpening.open(
        CONFIG,
        new LogId(1, 2),
        new StoreOpening.Volumes(List.of(new SlotPool.Place(disk, true, "memory")), null),
        () -> now += 1_000_000,
        random.split(),
        StoreEvents.NONE);
  }

  private static RecordId id(int number) {
    return new RecordId(9, number);
  }

  private void write(Store store) {
    for (int i = 0; i < 1000 && store.poll(); i++) {}
    for (int i = 0; i < RECORDS; i++) {
      int bytes = 100 + random.nextInt(8000);
      RecordHeader header = RecordHeader.data(id(i), new FileId(1, 7), 0, bytes);
      Reserve.Reserved reserved = (Reserve.Reserved) store.reserve(header, Level.KEPT);
      ByteBuffer payload = reserved.reservation().payload();
      while (payload.hasRemaining()) payload.put((byte) random.nextInt());
      store.commit(reserved.reservation(), null, answer -> {});
      if (i % 10 == 9) {
        store.kill(List.of(new Scope.Records(9, i - 5, i - 4)), Level.KEPT, answer -> {});
      }
    }
    store.seal();
  }

  private static Set<RecordId> present(Store store) {
    Set<RecordId> present = new TreeSet<>();
    for (int i = 0; i < RECORDS; i++) if (store.present(id(i))) present.add(id(i));
    return present;
  }

  private static List<ByteBuffer> copies(MemoryDisk disk) throws Exception {
    List<ByteBuffer> copies = new ArrayList<>();
    for (Disk.FileEntry file : disk.list()) {
      ByteBuffer copy = ByteBuffer.allocate((int) file.bytes());
      disk.readNow(file.name(), 0, copy);
      copies.add(copy.flip());
    }
    return copies;
  }

  /**
   * Changes a bit, or a sector, of a segment; a header that becomes zeros is one that was freed.
   */
  private String damage(ByteBuffer slot) {
    if (random.nextInt(2) == 0) {
      int bit = random.nextInt(SEGMENT * Byte.SIZE);
      slot.put(bit / 8, (byte) (slot.get(bit / 8) ^ (1 << bit % 8)));
      return "bit " + bit;
    }
    int from = SegmentHeader.BYTES / SECTOR;
    int sector = from + random.nextInt(SEGMENT / SECTOR - from);
    boolean zeros = random.nextBoolean();
    for (int i = 0; i < SECTOR; i++) {
      slot.put(sector * SECTOR + i, zeros ? 0 : (byte) random.nextInt());
    }
    return (zeros ? "zeros in" : "garbage in") + " sector " + sector;
  }

  @Test
  void whatItLacksOrHasTooManyOfIsNoted() throws Exception {
    System.out.println("DamagedLogTest: run again with -Dforebay.seed=" + seed);
    MemoryDisk sound = disk();
    write(open(sound).store());
    List<ByteBuffer> segments = copies(sound);
    StoreOpening.Opened undamaged = open(sound);
    assertThat(undamaged.report().findings()).isEmpty();
    Set<RecordId> had = present(undamaged.store());
    int changed = 0;
    for (int i = 0; i < DAMAGES; i++) {
      MemoryDisk disk = disk();
      int hit = random.nextInt(segments.size());
      String what = "";
      for (int slot = 0; slot < segments.size(); slot++) {
        ByteBuffer copy = ByteBuffer.allocate(SEGMENT).put(segments.get(slot).duplicate()).flip();
        if (slot == hit) what = "slot " + slot + ", " + damage(copy);
        String name = "memory-%06d".formatted(slot);
        disk.create(name, SEGMENT, outcome -> {});
        disk.write(name, 0, copy, outcome -> {});
      }
      disk.poll();
      StoreOpening.Opened opened = open(disk);
      if (present(opened.store()).equals(had)) continue;
      changed++;
      assertThat(opened.report().findingsCount()).as(what).isPositive();
    }
    assertThat(changed).isPositive();
  }
}
