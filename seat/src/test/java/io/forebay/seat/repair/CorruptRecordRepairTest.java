// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.repair;

import static io.forebay.seat.manager.state.SmallRing.behind;
import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.seat.TestSeat;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.seat.put.CopyQueues;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.record.Level;
import io.forebay.store.segment.Reserve;
import io.forebay.wire.Connection;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CorruptRecordRepairTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long POLL = SECOND / 10;
  private static final long ARRIVAL = 5 * SECOND;
  private static final long LOST_RETRY = 60 * SECOND;
  private static final long AWAITED = 60 * SECOND;
  private static final int BYTES = 100;
  private static final FileId FILE = new FileId(1, 5);
  private static final GroupId GROUP = SmallRing.id(1, 3);
  private static final RecordId RECORD = new RecordId(4, 256);
  private static final SeatId SECOND_SEAT = new SeatId(2);
  private static final SeatId THIRD_SEAT = new SeatId(3);
  private static final Data.MissingAre NONE_MISSING = new Data.MissingAre(List.of());
  private static final Data.MissingAre MISSING = new Data.MissingAre(List.of(RECORD));

  private final TestSeat seat = new TestSeat();
  private final CorruptRecordRepair repair =
      new CorruptRecordRepair(
          seat.basics(),
          seat.questions(),
          seat.intake(),
          new CopyQueues(seat.basics(), seat.links().peers()),
          group -> null);

  private static RingMap map(boolean destroyed, Group.Member... members) {
    return SmallRing.of(4).group(1, 3, members).instance(3, destroyed).map();
  }

  @BeforeEach
  void follow() {
    seat.follow(map(false, current(1), current(2), current(3)));
  }

  private void damage(RecordId record) {
    repair.damaged(record, FILE, GROUP.number(), BYTES);
  }

  private List<Sent> poll() {
    seat.sleep(POLL);
    repair.poll();
    return seat.takeSent();
  }

  private Sent pollForOne() {
    List<Sent> sent = poll();
    assertThat(sent).hasSize(1);
    return sent.getFirst();
  }

  private List<RecordId> asked(Sent sent) {
    return ((Data.SendAgain) sent.message()).records();
  }

  /** A copy arrives, as it was asked for. */
  private void arrive(RecordId record) {
    Checksums checksums = Checksums.of(BlockChecksums.of(ByteBuffer.allocate(BYTES)));
    Data.Replicate copy = new Data.Replicate(GROUP, 7, record, FILE, 0, false, checksums);
    Landing landing = repair.arriving(seat.client(), copy, BYTES);
    ((Landing.Into) landing).arrival().filled();
  }

  /** The log has a record whose bytes no longer match their checksums. */
  private RecordId keepDamaged() {
    RecordHeader header = RecordHeader.data(RECORD, FILE, 0, GROUP.number(), BYTES);
    Reserve.Reserved reserved =
        (Reserve.Reserved) seat.basics().store().reserve(header, Level.KEPT);
    ByteBuffer payload = reserved.reservation().payload();
    seat.basics().store().commit(reserved.reservation(), null, answer -> {});
    payload.put(0, (byte) ~payload.get(0));
    return RECORD;
  }

  private long corrupt() {
    return seat.basics().counters().now(0, 0, 0).corrupt();
  }

  private long repaired() {
    return seat.basics().counters().now(0, 0, 0).repaired();
  }

  @Test
  void aDamagedRecordIsRequestedFromAnotherMember() {
    damage(RECORD);
    Sent sent = pollForOne();
    assertThat(seat.seatOf(sent)).isEqualTo(SECOND_SEAT);
    assertThat(sent.message())
        .isEqualTo(new Data.SendAgain(GROUP, 7, TestSeat.SELF, List.of(RECORD)));
    assertThat(corrupt()).isEqualTo(1);
    assertThat(repair.damagedSince(RECORD)).isPositive();
    assertThat(repair.damagedSince(new RecordId(4, 512))).isZero();
  }

  @Test
  void aReadersSuspicionIsCheckedHereAndBelievedOnlyIfItIsTrue() {
    RecordId sound = seat.keep(FILE, GROUP);
    repair.suspect(sound);
    assertThat(poll()).isEmpty();
    RecordId damaged = keepDamaged();
    repair.suspect(damaged);
    assertThat(asked(pollForOne())).containsExactly(damaged);
  }

  @Test
  void aReplacedRecordIsNoLongerRequested() {
    damage(RECORD);
    pollForOne().answer(NONE_MISSING);
    assertThat(repair.awaits(RECORD)).isTrue();
    arrive(RECORD);
    assertThat(repair.awaits(RECORD)).isFalse();
    seat.sleep(ARRIVAL);
    assertThat(poll()).isEmpty();
    assertThat(repaired()).isEqualTo(1);
    assertThat(repair.damagedSince(RECORD)).isZero();
  }

  @Test
  void aPromisedCopyThatDoesNotComeIsRequestedAgain() {
    damage(RECORD);
    pollForOne().answer(NONE_MISSING);
    seat.sleep(ARRIVAL - POLL - 1);
    assertThat(poll()).isEmpty();
    assertThat(seat.seatOf(pollForOne())).isEqualTo(SECOND_SEAT);
  }

  @Test
  void aMemberThatLacksTheRecordIsNotAskedAgainAndTheNextIsAskedAtOnce() {
    damage(RECORD);
    pollForOne().answer(MISSING);
    Sent next = pollForOne();
    assertThat(seat.seatOf(next)).isEqualTo(THIRD_SEAT);
    next.answer(new Replies.Failed(ErrorCode.BUSY, "not now"));
    seat.sleep(SECOND);
    assertThat(seat.seatOf(pollForOne())).as("the only one left").isEqualTo(THIRD_SEAT);
  }

  @Test
  void aMemberThatDoesNotAnswerTakesTurnsWithTheOthers() {
    damage(RECORD);
    pollForOne().answer(new Replies.Failed(ErrorCode.BUSY, "not now"));
    seat.sleep(SECOND - POLL - 1);
    assertThat(poll()).isEmpty();
    assertThat(seat.seatOf(pollForOne())).isEqualTo(THIRD_SEAT);
    assertThat(repair.lost()).isZero();
  }

  @Test
  void aRecordIsLostOnlyWhenEveryOtherMemberHasSaidThatItLacksIt() {
    damage(RECORD);
    pollForOne().answer(MISSING);
    Sent last = pollForOne();
    assertThat(repair.lost()).isZero();
    last.answer(MISSING);
    assertThat(poll()).isEmpty();
    assertThat(repair.lost()).isEqualTo(1);
    assertThat(seat.warned()).filteredOn(each -> each.contains("no other seat has it")).hasSize(1);
    assertThat(repair.awaits(RECORD)).as("requests do not wait for it").isFalse();
  }

  @Test
  void aLostRecordIsRequestedFromAllMembersAgainAMinuteLater() {
    seat.follow(map(false, current(1), current(2)));
    damage(RECORD);
    pollForOne().answer(MISSING);
    poll();
    assertThat(repair.lost()).isEqualTo(1);
    seat.sleep(LOST_RETRY - POLL - 1);
    assertThat(poll()).isEmpty();
    pollForOne().answer(NONE_MISSING);
    arrive(RECORD);
    poll();
    assertThat(repair.lost()).isZero();
  }

  @Test
  void membersThatAreBehindAreAskedToo() {
    seat.follow(map(false, current(1), behind(2)));
    damage(RECORD);
    assertThat(seat.seatOf(pollForOne())).isEqualTo(SECOND_SEAT);
  }

  @Test
  void aSeatThatIsNoMemberAnyMoreNeedsNoCopy() {
    damage(RECORD);
    seat.follow(map(false, current(2), current(3)));
    assertThat(poll()).isEmpty();
    assertThat(repair.damagedSince(RECORD)).isZero();
    assertThat(repaired()).isZero();
  }

  @Test
  void recordsOfDestroyedInstancesNeedNoCopy() {
    damage(RECORD);
    seat.follow(map(true, current(1), current(2)));
    assertThat(poll()).isEmpty();
    assertThat(repair.damagedSince(RECORD)).isZero();
  }

  @Test
  void nothingIsCompleteForAMinuteWhileARecordOfTheGroupMayComeBack() {
    assertThat(repair.awaits(GROUP)).isFalse();
    damage(RECORD);
    assertThat(repair.awaits(GROUP)).isTrue();
    assertThat(repair.awaits(SmallRing.id(2, 3))).isFalse();
    seat.sleep(AWAITED - 1);
    assertThat(repair.awaits(RECORD)).isTrue();
    seat.sleep(1);
    assertThat(repair.awaits(RECORD)).isFalse();
    assertThat(repair.awaits(GROUP)).isFalse();
  }

  @Test
  void damageThatTheLogHasJustFoundIsAwaitedBeforeThePoll() {
    repair.suspect(keepDamaged());
    assertThat(repair.awaits(GROUP)).isTrue();
  }

  @Test
  void aRecordThatIsFoundDamagedTwiceCountsOnce() {
    damage(RECORD);
    damage(RECORD);
    assertThat(corrupt()).isEqualTo(1);
    assertThat(asked(pollForOne())).containsExactly(RECORD);
  }

  @Test
  void manyDamagedRecordsAreRequestedInPortions() {
    for (int i = 1; i <= 65; i++) damage(new RecordId(4, i * 256L));
    assertThat(asked(pollForOne())).hasSize(64);
    assertThat(asked(pollForOne())).hasSize(1);
  }

  @Test
  void noMoreThanTenThousandDamagedRecordsAreInWork() {
    for (int i = 1; i <= 10_001; i++) damage(new RecordId(4, i * 256L));
    assertThat(corrupt()).isEqualTo(10_000);
  }

  // For others.

  @Test
  void aSeatSendsTheRecordsThatItHasAndNamesTheOthers() {
    RecordId has = seat.keep(FILE, GROUP);
    RecordId damaged = keepDamaged();
    repair.suspect(damaged);
    RecordId lacks = new RecordId(4, 512);
    Connection asker = seat.client();
    repair.sendAgain(
        asker, 9, new Data.SendAgain(GROUP, 7, THIRD_SEAT, List.of(has, damaged, lacks)));
    List<Sent> sent = seat.takeSent();
    Stream<Sent> copies = sent.stream().filter(each -> each.message() instanceof Data.Replicate);
    assertThat(copies)
        .singleElement()
        .satisfies(copy -> assertThat(((Data.Replicate) copy.message()).record()).isEqualTo(has))
        .satisfies(copy -> assertThat(seat.seatOf(copy)).isEqualTo(THIRD_SEAT));
    assertThat(sent.getLast().connection()).isEqualTo(asker);
    assertThat(sent.getLast().message()).isEqualTo(new Data.MissingAre(List.of(damaged, lacks)));
  }

  @Test
  void aSeatSaysWhichRecordsItCannotGiveAndSinceWhen() {
    RecordId has = seat.keep(FILE, GROUP);
    RecordId lacks = new RecordId(4, 512);
    damage(RECORD);
    assertThat(repair.held(new Data.AskHeld(1, List.of(has, lacks, RECORD))))
        .isEqualTo(
            new Data.LackingAre(
                List.of(
                    new Data.Lacking(lacks, 0),
                    new Data.Lacking(RECORD, seat.basics().wallClock().nanos()))));
    assertThat(repair.held(new Data.AskHeld(2, List.of(has))))
        .as("a record of another instance")
        .isEqualTo(new Data.LackingAre(List.of(new Data.Lacking(has, 0))));
  }

  @Test
  void aQuestionForTooManyRecordsIsRefused() {
    List<RecordId> many = Stream.generate(() -> RECORD).limit(Data.HELD_RECORDS_MAX + 1L).toList();
    assertThat(((Replies.Failed) repair.held(new Data.AskHeld(1, many))).code())
        .isEqualTo(ErrorCode.INVALID);
  }

  @Test
  void aCopyWhoseBytesDoNotMatchReplacesNothing() {
    damage(RECORD);
    Data.Replicate copy =
        new Data.Replicate(GROUP, 7, RECORD, FILE, 0, false, Checksums.of(new int[] {1}));
    ((Landing.Into) repair.arriving(seat.client(), copy, BYTES)).arrival().filled();
    assertThat(seat.basics().store().present(RECORD)).isFalse();
    assertThat(repair.awaits(RECORD)).isTrue();
    assertThat(seat.warned()).filteredOn(each -> each.contains("was not replaced")).hasSize(1);
  }
}
