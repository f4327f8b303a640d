// SPDX-License-Identifier: Apache-2.0

package io.forebay.store;

import static io.forebay.store.FaultyStore.SEGMENT;
import static io.forebay.store.FaultyStore.SESSION;
import static io.forebay.store.FaultyStore.records;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.disk.Disk;
import io.forebay.store.disk.Faults;
import io.forebay.store.files.LocalFiles;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.Scope;
import io.forebay.store.log.SegmentHeader;
import io.forebay.store.record.Level;
import io.forebay.store.record.ReadResult;
import io.forebay.store.segment.Reserve;
import io.forebay.store.tier.StoreConfig;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Situations that random tests meet too rarely; each once lost, revived or blocked something. */
class StoreHardCasesTest {
  private static FaultyStore ssd(long slots) throws Exception {
    return new FaultyStore(StoreConfig.ssd(SEGMENT, slots * SEGMENT), 1);
  }

  private static FaultyStore hybrid(long memorySlots, long ssdSlots, long seed) throws Exception {
    return new FaultyStore(
        StoreConfig.hybrid(SEGMENT, memorySlots * SEGMENT, ssdSlots * SEGMENT), seed);
  }

  /** The slots in which a segment is, as the SSD has them. */
  private static List<String> segmentSlots(FaultyStore world) throws Exception {
    List<String> slots = new ArrayList<>();
    for (Disk.FileEntry entry : world.ssd.list()) {
      ByteBuffer head = ByteBuffer.allocate(SegmentHeader.BYTES);
      world.ssd.readNow(entry.name(), 0, head);
      if (SegmentHeader.parse(head.flip()) instanceof SegmentHeader.Parsed.Valid) {
        slots.add(entry.name());
      }
    }
    return slots;
  }

  @Test
  void aRecordThatComesAfterItsTombstoneIsNotTakenOnlyToBeLost() throws Exception {
    FaultyStore world = ssd(14);
    assertThat(world.put(1, 1000, Level.FORCED)).isTrue();
    assertThat(world.kill(Level.FORCED, records(7, 7))).isTrue();
    boolean taken = world.put(7, 1000, Level.FORCED);
    world.settle();
    world.killProcess();
    assertThat(world.present(7)).isEqualTo(taken);
  }

  @Test
  void entriesOfACutTailAreNotTakenOnlyToBeLost() throws Exception {
    FaultyStore world = ssd(14);
    world.journal(0, 1, 4, 1000, Level.FORCED);
    world.store.seal();
    for (int i = 0; i < 4; i++) world.journal(0, 1, i, 1000, Level.FORCED);
    assertThat(world.kill(Level.FORCED, new Scope.JournalTail(0, 2, 4))).isTrue();
    world.settle();
    world.killProcess();
    boolean taken = world.journal(0, 1, 4, 1000, Level.FORCED);
    world.killProcess();
    assertThat(world.store.journalLast(0)).isEqualTo(taken ? 4 : 3);
    assertThat(world.journal(0, world.store.journalEpochMin(0) + 1, 4, 1000, Level.FORCED))
        .isTrue();
    world.killProcess();
    assertThat(world.store.journalLast(0)).isEqualTo(4);
  }

  @Test
  void whatIsForcedWhileItMovesIsForcedWhereItGoes() throws Exception {
    for (int seed = 0; seed < 10; seed++) {
      FaultyStore world = hybrid(8, 14, seed);
      world.put(1, 4000, Level.KEPT);
      world.put(2, 4000, Level.KEPT);
      world.store.seal();
      world.kill(Level.KEPT, records(2, 2));
      assertThat(world.store.compactEmptiest()).isTrue();
      RecordId id = new RecordId(SESSION, 1);
      assertThat(world.reaches(w -> world.store.require(id, Level.FORCED, w))).isTrue();
      world.settle();
      world.cutPower();
      assertThat(world.present(1)).as("seed %d", seed).isTrue();
    }
  }

  @Test
  void aSegmentThatCouldNotBeReadIsNotGivenUp() throws Exception {
    FaultyStore world = ssd(14);
    for (int i = 0; i < 10; i++) world.put(i, 4000, Level.FORCED);
    world.store.seal();
    world.settle();
    for (String slot : segmentSlots(world)) world.ssd.spoilSector(slot, 20_000);
    world.killProcess();
    world.settle();
    // One page is bad: the record in it is lost, and its neighbour if it reaches into the page.
    assertThat(world.count(0, 10)).isGreaterThanOrEqualTo(8);
    assertThat(world.report.sound()).isFalse();
    assertThat(segmentSlots(world)).isNotEmpty();
  }

  @Test
  void readErrorsThatPassLoseNothing() throws Exception {
    FaultyStore world = ssd(14);
    world.put(1, 4000, Level.FORCED);
    world.store.seal();
    world.settle();
    world.ssd.setFaults(Faults.NONE.withReadError(1));
    world.killProcess();
    world.ssd.setFaults(Faults.NONE);
    world.settle();
    assertThat(world.put(2, 4000, Level.FORCED)).isTrue();
    world.killProcess();
    assertThat(world.count(1, 3)).isEqualTo(2);
  }

  @Test
  void aReplacedJournalEntryStaysReplaced() throws Exception {
    FaultyStore world = ssd(14);
    world.journal(2, 1, 0, 1000, Level.FORCED);
    world.journal(1, 1, 5, 1000, Level.FORCED);
    world.store.seal();
    world.journal(1, 2, 5, 1000, Level.FORCED);
    world.store.seal();
    world.kill(Level.FORCED, new Scope.JournalHead(1, 6));
    world.settle();
    world.store.seal();
    world.settle();
    world.killProcess();
    assertThat(world.store.journalFirst(1)).isEqualTo(-1);
    assertThat(world.store.journalFirst(2)).isZero();
  }

  @Test
  void aDamagedJournalEntryNeverTurnsIntoAnotherRecord() throws Exception {
    FaultyStore world = ssd(40);
    world.journal(5, 1, 0, 3000, Level.FORCED);
    world.store.seal();
    world.settle();
    String slot = segmentSlots(world).getFirst();
    for (int i = 0; i < 120; i++) world.put(1000 + i, 4000, Level.FORCED);
    world.ssd.flipBit(slot, (SegmentHeader.BYTES + 1000) * 8L);
    assertThat(world.readJournal(5, 0)).isInstanceOf(ReadResult.Damaged.class);
    for (int i = 0; i < 60; i++) world.put(100 + i, 4000, Level.FORCED);
    world.settle();
    assertThat(world.readJournal(5, 0))
        .isInstanceOfAny(ReadResult.Damaged.class, ReadResult.Absent.class);
    long before = world.count(100, 160);
    world.kill(Level.FORCED, new Scope.JournalHead(5, 1));
    world.settle();
    assertThat(world.count(100, 160)).isEqualTo(before);
  }

  @Test
  void oneFlippedBitInTheFilesJournalCostsOneChange() throws Exception {
    FaultyStore world = ssd(14);
    LocalFiles files = LocalFiles.open(world.store);
    for (int i = 0; i < 6; i++) {
      world.put(i, 1000, Level.FORCED);
      FileId file = new FileId(1, i);
      LocalFiles.Piece piece = LocalFiles.Piece.whole(0, new RecordId(SESSION, i), 1000);
      assertThat(world.reaches(w -> files.publish(file, List.of(piece), Level.FORCED, w))).isTrue();
    }
    world.settle();
    for (String slot : segmentSlots(world)) {
      ByteBuffer head = ByteBuffer.allocate(SegmentHeader.BYTES + 8);
      world.ssd.readNow(slot, 0, head);
      boolean journal = head.get(SegmentHeader.BYTES + 4) == 2;
      if (journal) world.ssd.flipBit(slot, (SegmentHeader.BYTES + 256 + 130) * 8L);
    }
    world.killProcess();
    LocalFiles again = LocalFiles.open(world.store);
    assertThat(again.list()).hasSize(5);
    assertThat(again.entriesDamaged()).isEqualTo(1);
    assertThat(again.entriesCut()).isZero();
  }

  @Test
  void aFlippedBitInAFreeSlotRevivesNothing() throws Exception {
    FaultyStore world = ssd(14);
    for (int i = 0; i < 10; i++) world.put(i, 4000, Level.FORCED);
    world.store.seal();
    world.settle();
    String slot = segmentSlots(world).getFirst();
    world.kill(Level.FORCED, records(0, 9));
    world.settle();
    world.store.seal();
    world.settle();
    world.ssd.flipBit(slot, 5);
    world.killProcess();
    assertThat(world.count(0, 10)).isZero();
  }

  @Test
  void forceAllDoesNotPassOverWhatCouldNotBeForced() throws Exception {
    FaultyStore world = hybrid(8, 14, 1);
    world.put(1, 4000, Level.KEPT);
    world.ssd.setFaults(Faults.NONE.withForceError(1));
    RecordId id = new RecordId(SESSION, 1);
    assertThat(world.reaches(w -> world.store.require(id, Level.FORCED, w))).isFalse();
    world.ssd.setFaults(Faults.NONE);
    boolean all = world.reaches(w -> world.store.forceAll(w));
    world.cutPower();
    assertThat(world.present(1)).isEqualTo(all);
  }

  @Test
  void manyVoidReservationsDoNotOverwhelmTheDisk() throws Exception {
    FaultyStore world = hybrid(8, 14, 1);
    int forcedBefore = 0;
    for (int i = 0; i < 3000; i++) {
      if (world.put(2L * i, 10, Level.KEPT)) forcedBefore++;
      RecordHeader header =
          RecordHeader.data(new RecordId(SESSION, 2L * i + 1), FaultyStore.FILE, 0, 10);
      if (world.store.reserve(header, Level.KEPT) instanceof Reserve.Reserved reserved) {
        world.store.abandon(reserved.reservation());
      }
    }
    assertThat(forcedBefore).isEqualTo(3000);
    assertThat(world.reaches(w -> world.store.forceAll(w))).isTrue();
    world.cutPower();
    assertThat(world.count(0, 6000)).isEqualTo(3000);
  }

  @Test
  void aDeadSsdIsNotTriedWithoutPause() throws Exception {
    FaultyStore world = hybrid(8, 40, 1);
    for (int i = 0; i < 20; i++) world.put(i, 4000, Level.KEPT);
    world.store.seal();
    world.ssd.setFaults(Faults.NONE.withWriteError(1));
    world.store.spillOldest();
    world.poll(5000);
    assertThat(world.suspects).isLessThan(20);
    assertThat(world.count(0, 20)).isEqualTo(20);
  }

  /**
   * The device was broken for a while, and nothing happens that would make the store look again.
   */
  @Test
  void whatCouldNotBeMovedIsTriedAgainThoughNothingElseHappens() throws Exception {
    FaultyStore world = ssd(14);
    world.ssd.setFaults(Faults.NONE.withForceError(1));
    assertThat(world.journal(0, 1, 0, 1000, Level.FORCED)).isFalse();
    world.poll(3000);
    world.ssd.setFaults(Faults.NONE);
    world.poll(3000);
    assertThat(world.reaches(w -> world.store.reachJournals(Level.FORCED, w))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory 12", "ssd 12", "hybrid 6/12", "hybrid 8/40"})
  void aFullStoreCanBeEmptiedHoweverOftenItCrashes(String layout) throws Exception {
    StoreConfig config =
        switch (layout) {
          case "memory 12" -> StoreConfig.memory(SEGMENT, 12L * SEGMENT);
          case "ssd 12" -> StoreConfig.ssd(SEGMENT, 12L * SEGMENT);
          case "hybrid 6/12" -> StoreConfig.hybrid(SEGMENT, 6L * SEGMENT, 12L * SEGMENT);
          default -> StoreConfig.hybrid(SEGMENT, 8L * SEGMENT, 40L * SEGMENT);
        };
    for (int seed = 0; seed < 25; seed++) {
      FaultyStore world = new FaultyStore(config, seed);
      int taken = 0;
      while (world.put(taken, 4000, Level.KEPT)) taken++;
      for (int crash = 0; crash < 5; crash++) {
        world.kill(Level.KEPT, records(crash, crash));
        world.poll(seed);
        world.killProcess();
      }
      assertThat(world.kill(Level.KEPT, records(0, taken)))
          .as("%s, seed %d: %s", layout, seed, world.store.stats())
          .isTrue();
      world.settle();
      assertThat(world.put(1_000_000, 4000, Level.KEPT))
          .as("%s, seed %d: %s", layout, seed, world.store.stats())
          .isTrue();
    }
  }
}
