// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.attempt;

import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.backing.Attempt;
import io.forebay.backing.Capabilities;
import io.forebay.backing.FileAttributes;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.drain.plan.WriteRules;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.TestSeat;
import io.forebay.seat.drain.TestTree;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.wire.message.Drains;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FilePlanTest {
  private static final int PIECE = 1 << 20;
  private static final int WRITE = WriteRules.WRITE_BYTES_DEFAULT;

  private final TestSeat seat = new TestSeat().follow(ring().map());
  private final TestTree tree = new TestTree(seat);
  private final long file = tree.create("a");

  private static SmallRing ring() {
    return SmallRing.of(3)
        .group(1, 1, current(1))
        .group(2, 1, current(2))
        .group(3, 1, current(3))
        .instance(1, false);
  }

  /** A file system, in which any seat writes anywhere. */
  private static Capabilities fileSystem(long partBytesMax, int partsMax, boolean holes) {
    return can(true, true, 1, partBytesMax, partsMax, holes);
  }

  private static Capabilities can(
      boolean parallel,
      boolean anyOffset,
      long partBytesMin,
      long partBytesMax,
      int partsMax,
      boolean holes) {
    return new Capabilities(
        parallel,
        anyOffset,
        partBytesMin,
        partBytesMax,
        partsMax,
        holes,
        true,
        true,
        true,
        true,
        1,
        Capabilities.Verification.READ_BACK);
  }

  private FilePlan.Planning planning(long sizeBytes, Capabilities can) {
    return FilePlan.of(seat.basics(), TestTree.INSTANCE, file, sizeBytes, tree.view(), can);
  }

  private FilePlan plan(long sizeBytes, Capabilities can) {
    return ((FilePlan.Planned) planning(sizeBytes, can)).plan();
  }

  private void publish(long sizeBytes) {
    for (long at = 0; at < sizeBytes; at += PIECE) tree.publish(file, at, PIECE);
  }

  private Drains.WriteChunk message(FilePlan plan, int write) {
    Attempt attempt = tree.attempt(file, tree.begin(file), FileAttributes.NONE);
    return plan.message(write, BackingAttempts.told(attempt), tree.home().group());
  }

  private static Set<SeatId> writers(FilePlan plan) {
    List<SeatId> writers = new ArrayList<>();
    for (int i = 0; i < plan.writeCount(); i++) writers.add(plan.planned(i));
    return Set.copyOf(writers);
  }

  @Test
  void aWriteNamesTheNewestRecordOfEachByteAndWhereItIsInTheRecord() {
    RecordId first = tree.publish(file, 0, 300);
    RecordId second = tree.publish(file, 100, 50);
    FilePlan plan = plan(300, fileSystem(Integer.MAX_VALUE, Integer.MAX_VALUE, true));
    assertThat(plan.writeCount()).isEqualTo(1);
    Drains.WriteChunk chunk = message(plan, 0);
    var group = tree.home().group().id();
    assertThat(chunk.sources())
        .containsExactly(
            new Drains.Source(0, 100, group, first, 0),
            new Drains.Source(100, 50, group, second, 0),
            new Drains.Source(150, 150, group, first, 150));
    assertThat(chunk.offset()).isZero();
    assertThat(chunk.lengthBytes()).isEqualTo(300);
    assertThat(chunk.instance()).isEqualTo(TestTree.INSTANCE);
  }

  @Test
  void noWriteIsLongerThanTheStoreTakes() {
    publish(4 * PIECE);
    FilePlan plan = plan(4 * PIECE, fileSystem(PIECE / 2, Integer.MAX_VALUE, true));
    assertThat(plan.writeCount()).isGreaterThanOrEqualTo(8);
    long end = 0;
    for (int i = 0; i < plan.writeCount(); i++) {
      assertThat(plan.lengthBytes(i)).isLessThanOrEqualTo(PIECE / 2);
      assertThat(plan.offset(i)).isEqualTo(end);
      end += plan.lengthBytes(i);
    }
    assertThat(end).isEqualTo(4 * PIECE);
  }

  @Test
  void noWriteButTheLastIsShorterThanTheStoreTakes() {
    publish(3 * PIECE);
    FilePlan plan = plan(3 * PIECE, can(true, false, 2 * PIECE, 16 * PIECE, 100, false));
    for (int i = 0; i < plan.writeCount() - 1; i++) {
      assertThat(plan.lengthBytes(i)).isGreaterThanOrEqualTo(2 * PIECE);
    }
  }

  @Test
  void aFileHasNoMoreWritesThanTheStoreTakes() {
    publish(8L * WRITE);
    FilePlan plan = plan(8L * WRITE, can(true, false, 1, 1 << 30, 4, false));
    assertThat(plan.writeCount()).isLessThanOrEqualTo(4);
    assertThat(plan.writtenBytes()).isEqualTo(8L * WRITE);
  }

  @Test
  void aFileThatTheStoreCannotTakeIsRefusedWithItsLimit() {
    tree.publish(file, 0, 300);
    FilePlan.Planning refused = planning(3 * PIECE, can(true, false, 1, PIECE, 2, false));
    assertThat(refused).isInstanceOf(FilePlan.TooLarge.class);
    assertThat(((FilePlan.TooLarge) refused).sentence()).contains("2 MiB").contains("3 MiB");
  }

  @Test
  void onlyAStoreForOneWriterGetsItsWritesInOrder() {
    publish(2L * WRITE);
    assertThat(plan(2L * WRITE, can(false, false, 1, 1 << 30, 100, false)).inOrder()).isTrue();
    assertThat(plan(2L * WRITE, can(true, false, 1, 1 << 30, 100, false)).inOrder()).isFalse();
    assertThat(plan(2L * WRITE, can(false, true, 1, 1 << 30, 100, true)).inOrder()).isFalse();
  }

  @Test
  void aStoreForOneWriterGetsOne() {
    publish(6L * WRITE);
    assertThat(writers(plan(6L * WRITE, can(false, true, 1, 1 << 30, 100, true)))).hasSize(1);
    assertThat(writers(plan(6L * WRITE, fileSystem(1 << 30, 100, true)))).hasSizeGreaterThan(1);
  }

  @Test
  void holesAreLeftOutOnlyWhereTheStoreReadsThemAsZeros() {
    tree.publish(file, 0, PIECE);
    tree.publish(file, 63L * PIECE, PIECE);
    long size = 64L * PIECE;
    assertThat(plan(size, fileSystem(1 << 30, 1000, true)).writtenBytes()).isLessThan(size);
    assertThat(plan(size, fileSystem(1 << 30, 1000, false)).writtenBytes()).isEqualTo(size);
  }

  @Test
  void bytesThatOnlyTheStoreHasAreNoHoles() {
    tree.publish(file, 0, PIECE);
    tree.drain(file);
    tree.evict(file);
    tree.publish(file, 63L * PIECE, PIECE);
    long size = 64L * PIECE;
    FilePlan plan = plan(size, fileSystem(1 << 30, 1000, true));
    assertThat(plan.writtenBytes()).isEqualTo(size);
    assertThat(message(plan, 0).backed()).isEqualTo(new Drains.Backed("/a", "tag", PIECE));
  }

  @Test
  void seatsThatAreAwayOrLeaveWriteNothing() {
    publish(6L * WRITE);
    seat.follow(ring().away(2).stay(3, SeatEntry.Stay.LEAVING).map());
    assertThat(writers(plan(6L * WRITE, fileSystem(1 << 30, 100, true))))
        .containsOnly(TestSeat.SELF);
  }

  @Test
  void theHomeWritesForASeatThatIsSilentOrAway() {
    publish(6L * WRITE);
    FilePlan plan = plan(6L * WRITE, fileSystem(1 << 30, 100, true));
    int write = 0;
    while (plan.planned(write).equals(TestSeat.SELF)) write++;
    SeatId planned = plan.planned(write);
    assertThat(plan.holder(write, Set.of(), seat.basics())).isEqualTo(planned);
    assertThat(plan.holder(write, Set.of(planned), seat.basics())).isEqualTo(TestSeat.SELF);
    seat.follow(ring().away(planned.number()).map());
    assertThat(plan.holder(write, Set.of(), seat.basics())).isEqualTo(TestSeat.SELF);
  }
}
