// SPDX-License-Identifier: Apache-2.0

package io.forebay.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.disk.MemoryDisk;
import io.forebay.store.log.LogId;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.Waiter;
import io.forebay.store.segment.Reserve;
import io.forebay.store.tier.SlotPool;
import io.forebay.store.tier.StoreConfig;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Memory of which a part dies with the process: what was answered as kept must not be there. */
class DyingMemoryTest {
  private static final int SEGMENT = 64 * 1024;
  private static final int LASTING_SLOTS = 3;
  private static final int RECORD = 5000;
  private static final int PER_SEGMENT = SEGMENT / RECORD;
  private static final StoreConfig MEMORY = StoreConfig.memory(SEGMENT, 12 * SEGMENT);
  private static final StoreConfig HYBRID = StoreConfig.hybrid(SEGMENT, 12 * SEGMENT, 40 * SEGMENT);

  private final MemoryDisk lasting = disk((long) LASTING_SLOTS * SEGMENT);
  private final MemoryDisk ssd = disk(Long.MAX_VALUE);
  private long now;
  private int notes;
  private boolean mayBeUsed = true;
  private Store store;

  private static MemoryDisk disk(long bytes) {
    return MemoryDisk.onHeap(bytes, 10_000, () -> {});
  }

  /** As a process does that starts after another died: its own memory is new. */
  private void open(StoreConfig config) throws Exception {
    List<SlotPool.Place> memory =
        List.of(
            new SlotPool.Place(lasting, true, "memory"),
            new SlotPool.Place(disk(Long.MAX_VALUE), false, "anonymous memory"));
    StoreOpening.Volumes volumes =
        new StoreOpening.Volumes(
            memory,
            config.hasSsd() ? ssd : null,
            () -> {
              notes++;
              return mayBeUsed;
            });
    store =
        StoreOpening.open(
                config,
                new LogId(1, 2),
                volumes,
                () -> now += 1_000_000,
                new SplittableRandom(3),
                StoreEvents.NONE)
            .store();
    for (int i = 0; i < 1000 && store.poll(); i++) {}
  }

  private boolean put(long sequence) {
    RecordHeader header =
        RecordHeader.data(new RecordId(9, sequence), new FileId(1, 7), sequence * RECORD, RECORD);
    Reserve reserve = store.reserve(header, Level.KEPT);
    for (int i = 0; i < 300 && reserve instanceof Reserve.Full; i++) {
      store.poll();
      reserve = store.reserve(header, Level.KEPT);
    }
    if (!(reserve instanceof Reserve.Reserved reserved)) return false;
    ByteBuffer payload = reserved.reservation().payload();
    while (payload.hasRemaining()) payload.put((byte) (sequence + payload.position()));
    List<Waiter.Answer> answers = new ArrayList<>();
    Commit commit = store.commit(reserved.reservation(), null, answers::add);
    for (int i = 0; i < 100 && commit == Commit.PENDING && answers.isEmpty(); i++) store.poll();
    return commit == Commit.DONE || answers.equals(List.of(Waiter.Answer.Reached.NOW));
  }

  private boolean append(long index) {
    List<Waiter.Answer> answers = new ArrayList<>();
    Commit commit =
        store.journal(3, 1, index, ByteBuffer.allocate(RECORD), Level.KEPT, answers::add);
    for (int i = 0; i < 100 && commit == Commit.PENDING && answers.isEmpty(); i++) store.poll();
    return commit == Commit.DONE || answers.equals(List.of(Waiter.Answer.Reached.NOW));
  }

  @Test
  void withAnSsdNothingThatWasKeptDiesWithTheProcess() throws Exception {
    open(HYBRID);
    assertThat(store.stats().memory().dying()).isEqualTo(12 - LASTING_SLOTS);
    int records = 20 * PER_SEGMENT;
    for (int i = 0; i < records; i++) assertThat(put(i)).as("record %d", i).isTrue();
    for (int i = 1; i < 40; i++) assertThat(append(i)).as("entry %d", i).isTrue();
    open(HYBRID);
    for (int i = 0; i < records; i++) {
      assertThat(store.present(new RecordId(9, i))).as("record %d", i).isTrue();
    }
    assertThat(store.journalFirst(3)).isEqualTo(1);
    assertThat(store.journalLast(3)).isEqualTo(39);
    assertThat(notes).as("nothing is only there, so the log need not say so").isZero();
  }

  @Test
  void memoryThatLastsIsUsedFirstAndTheOtherIsNotedBeforeItsFirstRecord() throws Exception {
    open(MEMORY);
    for (int i = 0; i < 2 * PER_SEGMENT; i++) assertThat(put(i)).isTrue();
    assertThat(notes).isZero();
    for (int i = 2 * PER_SEGMENT; i < 5 * PER_SEGMENT; i++) assertThat(put(i)).isTrue();
    assertThat(notes).isPositive();
    open(MEMORY);
    assertThat(store.stats().recordsIndexed()).isBetween(2L * PER_SEGMENT, 5L * PER_SEGMENT - 1);
  }

  @Test
  void whatCannotBeNotedIsNotUsed() throws Exception {
    mayBeUsed = false;
    open(MEMORY);
    int kept = 0;
    while (kept < 5 * PER_SEGMENT && put(kept)) kept++;
    assertThat(kept).isLessThan(5 * PER_SEGMENT);
    open(MEMORY);
    assertThat(store.stats().recordsIndexed()).isEqualTo(kept);
  }

  @Test
  void anOrderlyEndMovesWhatWouldDieToMemoryThatHasBecomeFree() throws Exception {
    open(MEMORY);
    for (int i = 0; i < 6 * PER_SEGMENT; i++) assertThat(put(i)).isTrue();
    assertThat(store.saveDying()).as("there is no room for all of it").isFalse();
    open(MEMORY);
    long found = store.stats().recordsIndexed();
    assertThat(found).isLessThan(6L * PER_SEGMENT);
    for (int i = 0; i < 6 * PER_SEGMENT; i++) {
      if (store.present(new RecordId(9, i))) store.giveUp(new RecordId(9, i));
    }
    for (int i = 0; i < 1000 && store.poll(); i++) {}
    for (int i = 100_000; i < 100_000 + PER_SEGMENT; i++) assertThat(put(i)).isTrue();
    assertThat(store.saveDying()).isTrue();
    open(MEMORY);
    for (int i = 100_000; i < 100_000 + PER_SEGMENT; i++) {
      assertThat(store.present(new RecordId(9, i))).as("record %d", i).isTrue();
    }
  }
}
