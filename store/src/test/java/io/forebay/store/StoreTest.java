// SPDX-License-Identifier: Apache-2.0

package io.forebay.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.BlockChecksums;
import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.disk.MemoryDisk;
import io.forebay.store.log.LogId;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Slice;
import io.forebay.store.record.Waiter;
import io.forebay.store.segment.Reservation;
import io.forebay.store.segment.Reserve;
import io.forebay.store.tier.SlotPool;
import io.forebay.store.tier.StoreConfig;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The store's behaviour where everything goes well and room runs short. */
class StoreTest {
  private static final int SEGMENT = 64 * 1024;
  private static final FileId FILE = new FileId(1, 7);
  private static final int RECORD = 5000;

  private MemoryDisk memory = disk();
  private MemoryDisk ssd = disk();
  private long now;
  private Store store;

  private static MemoryDisk disk() {
    return MemoryDisk.onHeap(Long.MAX_VALUE, 10_000, () -> {});
  }

  private void open(StoreConfig config) throws Exception {
    boolean lasting = config.mode() != StoreConfig.Mode.SSD;
    if (!lasting) memory = disk();
    StoreOpening.Volumes volumes =
        new StoreOpening.Volumes(
            List.of(new SlotPool.Place(memory, lasting, "memory")), config.hasSsd() ? ssd : null);
    StoreOpening.Opened opened =
        StoreOpening.open(
            config,
            new LogId(1, 2),
            volumes,
            () -> now += 1_000_000,
            new SplittableRandom(3),
            StoreEvents.NONE);
    assertThat(opened.report().findings()).isEmpty();
    store = opened.store();
    settle();
  }

  private void settle() {
    for (int i = 0; i < 1000 && store.poll(); i++) {}
  }

  private boolean put(long sequence, Level level) {
    RecordHeader header =
        RecordHeader.data(new RecordId(9, sequence), FILE, sequence * RECORD, RECORD);
    Reserve reserve = store.reserve(header, level);
    for (int i = 0; i < 300 && reserve instanceof Reserve.Full; i++) {
      store.poll();
      reserve = store.reserve(header, level);
    }
    if (!(reserve instanceof Reserve.Reserved reserved)) return false;
    ByteBuffer payload = reserved.reservation().payload();
    while (payload.hasRemaining()) payload.put((byte) (sequence + payload.position()));
    List<Waiter.Answer> answers = new ArrayList<>();
    Commit commit = store.commit(reserved.reservation(), null, answers::add);
    for (int i = 0; i < 100 && commit == Commit.PENDING && answers.isEmpty(); i++) store.poll();
    return commit == Commit.DONE || answers.equals(List.of(Waiter.Answer.Reached.NOW));
  }

  private void check(long sequence) {
    List<ReadResult> results = new ArrayList<>();
    store.read(new RecordId(9, sequence), 0, RECORD, results::add);
    for (int i = 0; i < 100 && results.isEmpty(); i++) store.poll();
    assertThat(results).hasSize(1).first().isInstanceOf(ReadResult.Bytes.class);
    try (Slice slice = ((ReadResult.Bytes) results.getFirst()).slice()) {
      ByteBuffer bytes = slice.bytes();
      assertThat(bytes.remaining()).isEqualTo(RECORD);
      for (int i = 0; i < RECORD; i++) {
        assertThat(bytes.get(i)).isEqualTo((byte) (sequence + i));
      }
    }
  }

  @Test
  void aHybridStoreTakesMoreThanItsMemoryHolds() throws Exception {
    open(StoreConfig.hybrid(SEGMENT, 6 * SEGMENT, 40 * SEGMENT));
    for (int i = 0; i < 200; i++) assertThat(put(i, Level.KEPT)).as("record %d", i).isTrue();
    for (int i = 0; i < 200; i++) check(i);
    assertThat(store.stats().counters().spills()).isPositive();
  }

  @Test
  void everyModeBringsBackItsRecords() throws Exception {
    for (StoreConfig config :
        List.of(
            StoreConfig.memory(SEGMENT, 16 * SEGMENT),
            StoreConfig.ssd(SEGMENT, 40 * SEGMENT),
            StoreConfig.hybrid(SEGMENT, 6 * SEGMENT, 40 * SEGMENT))) {
      memory = disk();
      ssd = disk();
      open(config);
      for (int i = 0; i < 100; i++) assertThat(put(i, Level.KEPT)).isTrue();
      for (int i = 0; i < 100; i++) check(i);
      open(config);
      for (int i = 0; i < 100; i++) check(i);
      store.kill(List.of(new Scope.WholeInstance(1)), Level.KEPT, a -> {});
      settle();
      // The tombstone itself stays as long as dead copies may stand anywhere.
      assertThat(store.stats().liveBytes()).as("%s", store.stats()).isLessThan(1000);
      open(config);
      assertThat(store.stats().recordsIndexed()).isZero();
    }
  }

  @Test
  void aFullStoreSaysSoAndTakesMoreOnceRecordsDie() throws Exception {
    open(StoreConfig.hybrid(SEGMENT, 8 * SEGMENT, 16 * SEGMENT));
    int taken = 0;
    while (put(taken, Level.KEPT)) taken++;
    assertThat(taken).isGreaterThan(100);
    assertThat(store.reserve(RecordHeader.data(new RecordId(9, 9999), FILE, 0, RECORD), Level.KEPT))
        .isEqualTo(new Reserve.Full(Reserve.Reason.SSD_FULL));
    for (int i = 0; i < taken; i++) check(i);
    assertThat(store.kill(List.of(new Scope.Records(9, 0, taken / 2)), Level.KEPT, a -> {}))
        .isEqualTo(Commit.DONE);
    settle();
    for (int i = 0; i < taken / 3; i++) {
      assertThat(put(10_000 + i, Level.KEPT)).as("record %d", i).isTrue();
    }
    for (int i = taken / 2 + 1; i < taken; i++) check(i);
  }

  private Reservation reserve(long sequence, int bytes, Level level) {
    RecordHeader header = RecordHeader.data(new RecordId(9, sequence), FILE, 0, bytes);
    Reserve reserve = store.reserve(header, level);
    assertThat(reserve).isInstanceOf(Reserve.Reserved.class);
    return ((Reserve.Reserved) reserve).reservation();
  }

  @Test
  void oneForceAnswersAllWhoWaitedWhenItBegan() throws Exception {
    open(StoreConfig.hybrid(SEGMENT, 6 * SEGMENT, 40 * SEGMENT));
    long before = store.stats().counters().forces();
    List<Waiter.Answer> answers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      assertThat(store.commit(reserve(i, 100, Level.FORCED), null, answers::add))
          .isEqualTo(Commit.PENDING);
    }
    settle();
    assertThat(answers).hasSize(50).containsOnly(Waiter.Answer.Reached.NOW);
    // One for the first, which began at once, and one for all who came while it was under way.
    assertThat(store.stats().counters().forces() - before).isEqualTo(2);
  }

  @Test
  void aPayloadThatDoesNotMatchItsChecksumsIsRefused() throws Exception {
    open(StoreConfig.memory(SEGMENT, 6 * SEGMENT));
    Reservation reservation = reserve(1, 100, Level.KEPT);
    int[] checksums = BlockChecksums.of(ByteBuffer.allocate(100));
    reservation.payload().put(7, (byte) 1);
    assertThat(store.commit(reservation, checksums, a -> {})).isEqualTo(Commit.MISMATCH);
    assertThat(store.present(new RecordId(9, 1))).isFalse();
    assertThat(store.commit(reserve(1, 100, Level.KEPT), checksums, a -> {}))
        .isNotEqualTo(Commit.DUPLICATE);
  }

  @Test
  void aRecordIsTakenOnce() throws Exception {
    open(StoreConfig.memory(SEGMENT, 6 * SEGMENT));
    Reservation first = reserve(1, 100, Level.KEPT);
    Reservation second = reserve(1, 100, Level.KEPT);
    assertThat(store.commit(second, null, a -> {})).isEqualTo(Commit.DONE);
    assertThat(store.commit(first, null, a -> {})).isEqualTo(Commit.DUPLICATE);
    RecordHeader again = RecordHeader.data(new RecordId(9, 1), FILE, 0, 100);
    assertThat(store.reserve(again, Level.KEPT)).isEqualTo(new Reserve.Duplicate());
    store.kill(List.of(new Scope.Records(9, 0, 5)), Level.KEPT, a -> {});
    assertThat(store.reserve(again, Level.KEPT)).isEqualTo(new Reserve.Dead());
  }

  @Test
  void aSliceKeepsItsSegmentUntilItIsClosed() throws Exception {
    open(StoreConfig.memory(SEGMENT, 6 * SEGMENT));
    assertThat(put(1, Level.KEPT)).isTrue();
    List<ReadResult> results = new ArrayList<>();
    store.read(new RecordId(9, 1), 10, 20, results::add);
    Slice slice = ((ReadResult.Bytes) results.getFirst()).slice();
    store.seal();
    store.kill(List.of(new Scope.WholeFile(FILE)), Level.KEPT, a -> {});
    settle();
    assertThat(store.stats().counters().segmentsFreed()).isZero();
    assertThat(slice.bytes().get(0)).isEqualTo((byte) (1 + 10));
    slice.close();
    settle();
    assertThat(store.stats().counters().segmentsFreed()).isPositive();
  }

  @Test
  void cleanDataGoesOldestFirst() throws Exception {
    open(StoreConfig.memory(SEGMENT, 16 * SEGMENT));
    for (int i = 0; i < 30; i++) assertThat(put(i, Level.KEPT)).isTrue();
    store.markClean(20, List.of(new Scope.Records(9, 0, 9)), Level.KEPT, a -> {});
    store.markClean(10, List.of(new Scope.Records(9, 10, 19)), Level.KEPT, a -> {});
    assertThat(store.evict(1)).isPositive();
    assertThat(store.present(new RecordId(9, 5))).isTrue();
    assertThat(store.present(new RecordId(9, 15))).isFalse();
    assertThat(store.evict(Long.MAX_VALUE)).isPositive();
    assertThat(store.present(new RecordId(9, 5))).isFalse();
    // What is not clean is never evicted.
    for (int i = 20; i < 30; i++) check(i);
  }

  @Test
  void readsGiveJustTheBytesAskedFor() throws Exception {
    open(StoreConfig.ssd(1024 * 1024, 40L * 1024 * 1024));
    Reservation reservation = reserve(1, 200_000, Level.FORCED);
    ByteBuffer payload = reservation.payload();
    while (payload.hasRemaining()) payload.put((byte) (payload.position() * 31));
    store.commit(reservation, null, a -> {});
    store.seal();
    settle();
    for (int offset : new int[] {0, 1, 65_535, 65_536, 131_000, 199_999, 200_000}) {
      for (int length : new int[] {0, 1, 65_536, 100_000}) {
        List<ReadResult> results = new ArrayList<>();
        store.read(new RecordId(9, 1), offset, length, results::add);
        settle();
        if (offset + length > 200_000) {
          assertThat(results).containsExactly(new ReadResult.Absent());
          continue;
        }
        try (Slice slice = ((ReadResult.Bytes) results.getFirst()).slice()) {
          assertThat(slice.bytes().remaining()).isEqualTo(length);
          for (int i = 0; i < length; i += 997) {
            assertThat(slice.bytes().get(i)).isEqualTo((byte) ((offset + i) * 31));
          }
        }
      }
    }
  }

  @Test
  void walkShowsEveryRecordWithItsGroupAlsoAfterAMove() throws Exception {
    open(StoreConfig.hybrid(SEGMENT, 8 * SEGMENT, 32 * SEGMENT));
    for (int i = 0; i < 60; i++) {
      RecordHeader header = RecordHeader.data(new RecordId(9, i), FILE, 0, 40 + i % 2, RECORD);
      if (!(store.reserve(header, Level.KEPT) instanceof Reserve.Reserved reserved)) {
        settle();
        continue;
      }
      assertThat(store.commit(reserved.reservation(), null, answer -> {})).isEqualTo(Commit.DONE);
    }
    assertThat(store.kill(List.of(new Scope.Records(9, 10, 19)), Level.KEPT, answer -> {}))
        .isEqualTo(Commit.DONE);
    store.seal();
    settle();
    assertThat(store.compactEmptiest()).isTrue();
    settle();
    assertThat(walked()).isEqualTo(expectedGroups());
    // What recovery reads from the log says the same.
    open(StoreConfig.hybrid(SEGMENT, 8 * SEGMENT, 32 * SEGMENT));
    assertThat(walked()).isEqualTo(expectedGroups());
  }

  private Map<Long, Integer> walked() {
    Map<Long, Integer> groups = new TreeMap<>();
    RecordWalk walk = store.walk();
    while (walk.next((id, file, group, bytes) -> groups.put(id.sequence(), group))) {
      assertThat(groups).isNotNull();
    }
    return groups;
  }

  private Map<Long, Integer> expectedGroups() {
    Map<Long, Integer> groups = new TreeMap<>();
    for (long i = 0; i < 60; i++) {
      if (store.present(new RecordId(9, i))) groups.put(i, (int) (40 + i % 2));
    }
    assertThat(groups).hasSizeGreaterThan(20).doesNotContainKeys(10L, 19L);
    return groups;
  }

  @Test
  void recordsInMemoryGiveTheChecksumsTheyWereStoredWith() throws Exception {
    open(StoreConfig.memory(8 * SEGMENT, 48 * SEGMENT));
    int bytes = 3 * BlockChecksums.BLOCK_BYTES / 2;
    RecordHeader header = RecordHeader.data(new RecordId(9, 1), FILE, 0, bytes);
    Reserve.Reserved reserved = (Reserve.Reserved) store.reserve(header, Level.KEPT);
    ByteBuffer payload = reserved.reservation().payload();
    for (int i = 0; i < bytes; i++) payload.put(i, (byte) (i * 31));
    int[] checksums = BlockChecksums.of(payload);
    store.commit(reserved.reservation(), checksums, answer -> {});
    assertThat(store.checksums(header.id(), 0, 2)).isEqualTo(checksums);
    assertThat(store.checksums(header.id(), 1, 1)).containsExactly(checksums[1]);
    assertThat(store.checksums(new RecordId(9, 2), 0, 0)).isNull();
    assertThat(store.file(header.id())).isEqualTo(FILE);
  }
}
