// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.repair;

import static io.forebay.seat.manager.state.SmallRing.behind;
import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.namespace.GroupState;
import io.forebay.ring.RingMap;
import io.forebay.seat.TestSeat;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.part.ServingHome;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.seat.put.CopyQueues;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Level;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemberRepairTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long REFUSED_PAUSE = SECOND / 5;
  private static final int OWED_MAX = 64 * 1024;
  private static final int OWED_ENOUGH = 4096;
  private static final int ENTRIES_LACKING_MAX = 256;
  private static final FileId FILE = new FileId(1, 5);
  private static final GroupId GROUP = SmallRing.id(1, 3);
  private static final SeatId MEMBER = new SeatId(3);
  private static final long EPOCH = 7;

  private final TestSeat seat = new TestSeat().follow(map(false));
  private final CopyQueues copies = new CopyQueues(seat.basics(), seat.links().peers());
  private final CorruptRecordRepair mending =
      new CorruptRecordRepair(
          seat.basics(), seat.questions(), seat.intake(), copies, group -> null);
  private final RepairPace pace = new RepairPace(seat.basics().counters());
  private final Home home = new Home();
  private final MemberRepair repair =
      new MemberRepair(
          new RepairParts(seat.basics(), seat.links(), copies, mending, pace), home, behind(3));
  private long unknown;

  /** Records what the repair asks of the home. */
  private static final class Home extends ServingHome implements RepairedHome {
    private final List<Boolean> counted = new ArrayList<>();
    private final List<Data.Dead> dropped = new ArrayList<>();
    private boolean begun = true;
    private long lacking;
    private int snapshotsWanted;

    Home() {
      super(map(false).groups().getFirst(), new GroupState(GROUP), (command, change) -> {});
    }

    @Override
    public boolean begun(SeatId member) {
      return begun;
    }

    @Override
    public long lacking(SeatId member) {
      return lacking;
    }

    @Override
    public void wantSnapshot() {
      snapshotsWanted++;
    }

    @Override
    public void count(SeatId member, boolean counts) {
      assertThat(member).isEqualTo(MEMBER);
      counted.add(counts);
    }

    @Override
    public void drop(List<Data.Dead> dead) {
      dropped.addAll(dead);
    }
  }

  private static RingMap map(boolean destroyed) {
    return SmallRing.of(3)
        .group(1, 3, current(1), current(2), behind(3))
        .instance(3, destroyed)
        .map();
  }

  /** Polls a few times; returns what was sent. */
  private List<Message> poll() {
    List<Message> sent = new ArrayList<>();
    for (Sent each : pollForSent()) sent.add(each.message());
    return sent;
  }

  private List<Sent> pollForSent() {
    List<Sent> sent = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      repair.poll();
      sent.addAll(seat.takeSent());
    }
    for (Sent each : sent) assertThat(seat.seatOf(each)).isEqualTo(MEMBER);
    return sent;
  }

  /** Compares the records of the log, of which the member lacks these. */
  private void compare(RecordId... lacking) {
    Sent question = pollForSent().getFirst();
    assertThat(question.message()).isInstanceOf(Data.AskMissing.class);
    question.answer(new Data.MissingAre(List.of(lacking)));
  }

  private static List<RecordId> copied(List<Message> sent) {
    return sent.stream().map(message -> ((Data.Replicate) message).record()).toList();
  }

  private void confirm(RecordId record, ErrorCode code) {
    repair.confirmed(new Data.Confirm(GROUP, EPOCH, record, MEMBER, code));
  }

  private List<Message> toldManager() {
    return seat.takeSentToManager().stream().map(Sent::message).toList();
  }

  private void owe(int records) {
    for (int i = 0; i < records; i++) repair.owe(new RecordId(5, ++unknown), false);
  }

  private void exhaustPace() {
    pace.sent(Integer.MAX_VALUE);
  }

  @Test
  void recordsThatTheMemberLacksAreCopiedAndNoOthers() {
    RecordId has = seat.keep(FILE, GROUP);
    RecordId lacks = seat.keep(FILE, GROUP);
    seat.keep(FILE, SmallRing.id(2, 3));
    Sent question = pollForSent().getFirst();
    Data.AskMissing asked = (Data.AskMissing) question.message();
    assertThat(asked.records()).as("those of the group").containsExactly(has, lacks);
    assertThat(asked.epoch()).isEqualTo(EPOCH);
    question.answer(new Data.MissingAre(List.of(lacks)));
    assertThat(copied(poll())).containsExactly(lacks);
    assertThat(repair.totalBytes()).isEqualTo(2 * TestSeat.RECORD_BYTES);
    assertThat(repair.doneBytes()).isEqualTo(TestSeat.RECORD_BYTES);
  }

  @Test
  void aHomeThatDoesNotServeYetRepairsNothing() {
    seat.keep(FILE, GROUP);
    home.setServing(false);
    assertThat(poll()).isEmpty();
    home.setServing(true);
    assertThat(poll()).hasSize(1);
  }

  @Test
  void recordsThatComeDuringTheRepairAreOwed() {
    RecordId before = seat.keep(FILE, GROUP);
    repair.owe(before, false);
    compare();
    assertThat(poll()).as("the comparison found the first one").isEmpty();
    RecordId meanwhile = seat.keep(FILE, GROUP);
    repair.owe(meanwhile, true);
    Data.Replicate copy = (Data.Replicate) poll().getFirst();
    assertThat(copy.record()).isEqualTo(meanwhile);
    assertThat(copy.forced()).isTrue();
  }

  @Test
  void nothingWaitsForTheMemberBeforeTheComparisonIsOver() {
    RecordId lacks = seat.keep(FILE, GROUP);
    Sent question = pollForSent().getFirst();
    assertThat(home.counted).isEmpty();
    question.answer(new Data.MissingAre(List.of(lacks)));
    poll();
    assertThat(home.counted).containsExactly(true);
  }

  @Test
  void aComparisonWithoutAnAnswerIsRepeated() {
    seat.keep(FILE, GROUP);
    pollForSent().getFirst().answer(new Replies.Failed(ErrorCode.BUSY, "not now"));
    assertThat(poll()).hasSize(1).allMatch(message -> message instanceof Data.AskMissing);
    assertThat(home.counted).isEmpty();
  }

  @Test
  void theManagerIsToldOnlyWhenTheMemberHasConfirmedEverythingOwed() {
    RecordId first = seat.keep(FILE, GROUP);
    RecordId second = seat.keep(FILE, GROUP);
    compare(first, second);
    poll();
    confirm(first, ErrorCode.NONE);
    poll();
    assertThat(toldManager()).isEmpty();
    confirm(second, ErrorCode.NONE);
    poll();
    assertThat(toldManager()).containsExactly(new Maps.MemberComplete(GROUP, EPOCH, MEMBER, 1));
  }

  @Test
  void aRefusedCopyStaysOwedAndIsSentAgainAfterAPause() {
    RecordId record = seat.keep(FILE, GROUP);
    compare(record);
    poll();
    confirm(record, ErrorCode.NO_SPACE);
    seat.sleep(REFUSED_PAUSE - 1);
    assertThat(poll()).isEmpty();
    seat.sleep(1);
    assertThat(copied(poll())).containsExactly(record);
    assertThat(toldManager()).isEmpty();
  }

  @Test
  void aCopyWithoutAnAnswerIsSentAgainAfterThreeSeconds() {
    RecordId record = seat.keep(FILE, GROUP);
    compare(record);
    poll();
    seat.sleep(2 * SECOND + 1);
    poll();
    assertThat(home.counted).as("its silence pauses the repair for a moment").endsWith(false);
    seat.sleep(SECOND - 2);
    repair.tick();
    assertThat(poll()).isEmpty();
    seat.sleep(1);
    repair.tick();
    assertThat(copied(poll())).containsExactly(record);
    assertThat(toldManager()).isEmpty();
  }

  @Test
  void theMemberIsNotCompleteWhileItLacksEntriesOfTheJournal() {
    home.lacking = 1;
    poll();
    assertThat(home.counted).containsExactly(true);
    assertThat(toldManager()).isEmpty();
    home.lacking = 0;
    poll();
    assertThat(toldManager()).hasSize(1);
  }

  @Test
  void aMemberWhoseJournalHasNotBegunGetsASnapshotAndDoesNotCount() {
    home.begun = false;
    poll();
    assertThat(home.snapshotsWanted).isEqualTo(1);
    assertThat(home.counted).isEmpty();
    home.begun = true;
    home.lacking = ENTRIES_LACKING_MAX + 1;
    poll();
    assertThat(home.counted).as("it lacks too many entries").isEmpty();
    home.lacking = ENTRIES_LACKING_MAX;
    poll();
    assertThat(home.counted).containsExactly(true);
  }

  @Test
  void aMemberThatIsOwedMuchCountsOnlyAfterTenSeconds() {
    seat.keep(FILE, GROUP);
    Sent question = pollForSent().getFirst();
    exhaustPace();
    owe(OWED_ENOUGH + 1);
    question.answer(new Data.MissingAre(List.of()));
    seat.sleep(10 * SECOND);
    poll();
    assertThat(home.counted).isEmpty();
    seat.sleep(1);
    poll();
    assertThat(home.counted).containsExactly(true);
  }

  @Test
  void aSilentMemberNoLongerCountsAndOwesAgain() {
    RecordId record = seat.keep(FILE, GROUP);
    compare(record);
    poll();
    seat.sleep(2 * SECOND);
    poll();
    assertThat(home.counted).containsExactly(true);
    seat.sleep(1);
    poll();
    assertThat(home.counted).containsExactly(true, false);
    seat.sleep(REFUSED_PAUSE - 1);
    poll();
    assertThat(home.counted).as("not at once").hasSize(2);
    seat.sleep(1);
    poll();
    assertThat(home.counted).containsExactly(true, false, true);
    assertThat(toldManager()).isEmpty();
    confirm(record, ErrorCode.NONE);
    poll();
    assertThat(toldManager()).hasSize(1);
  }

  @Test
  void writersDoNotWaitForADebtForMoreThanThirtySeconds() {
    RecordId paid = seat.keep(FILE, GROUP);
    RecordId owed = seat.keep(FILE, GROUP);
    compare(paid, owed);
    poll();
    for (int i = 0; i < 30; i++) {
      seat.sleep(SECOND);
      confirm(paid, ErrorCode.NONE);
      poll();
    }
    assertThat(home.counted).containsExactly(true);
    seat.sleep(1);
    poll();
    assertThat(home.counted).containsExactly(true, false);
  }

  @Test
  void onceTheManagerWasAskedTheMemberCountsWhateverHappens() {
    poll();
    assertThat(toldManager()).hasSize(1);
    repair.owe(seat.keep(FILE, GROUP), false);
    seat.sleep(100 * SECOND);
    poll();
    assertThat(toldManager()).as("the answer may be lost").hasSize(1);
    seat.sleep(SECOND);
    poll();
    assertThat(toldManager()).as("at most once a second").isEmpty();
    assertThat(home.counted).containsExactly(true);
  }

  @Test
  void tooManyOwedRecordsAreComparedAgain() {
    seat.keep(FILE, GROUP);
    Sent question = pollForSent().getFirst();
    exhaustPace();
    owe(OWED_MAX + 1);
    pace.tick();
    question.answer(new Data.MissingAre(List.of()));
    List<Message> sent = new ArrayList<>();
    for (int i = 0; i < 110; i++) sent.addAll(poll());
    assertThat(sent).hasSize(1).allMatch(message -> message instanceof Data.AskMissing);
    assertThat(home.counted).isEmpty();
  }

  @Test
  void nothingIsSentFasterThanThePaceAllows() {
    RecordId record = seat.keep(FILE, GROUP);
    compare(record);
    exhaustPace();
    assertThat(poll()).isEmpty();
    for (int i = 0; i < 3; i++) pace.tick();
    assertThat(copied(poll())).containsExactly(record);
  }

  @Test
  void recordsThatWereDeletedHereAreNoLongerOwed() {
    RecordId record = seat.keep(FILE, GROUP);
    exhaustPace();
    compare(record);
    poll();
    assertThat(home.counted).containsExactly(true);
    Scope deleted = new Scope.Records(record.session(), record.sequence(), record.sequence());
    seat.basics().store().kill(List.of(deleted), Level.KEPT, answer -> {});
    for (int i = 0; i < 3; i++) pace.tick();
    assertThat(poll()).isEmpty();
    assertThat(toldManager()).hasSize(1);
  }

  @Test
  void recordsOfADestroyedInstanceAreNotSent() {
    RecordId record = seat.keep(FILE, GROUP);
    compare(record);
    seat.follow(map(true));
    assertThat(poll()).isEmpty();
    assertThat(toldManager()).hasSize(1);
  }

  @Test
  void aRecordThatIsDeletedInFlightIsDeletedAtTheMemberOnceItHasArrived() {
    RecordId doomed = seat.keep(FILE, GROUP);
    RecordId live = seat.keep(FILE, GROUP);
    compare(doomed, live);
    poll();
    repair.killed(List.of(Data.Dead.record(doomed)));
    assertThat(seat.takeSent()).as("it may not have arrived").isEmpty();
    confirm(live, ErrorCode.NONE);
    assertThat(seat.takeSent()).isEmpty();
    confirm(doomed, ErrorCode.NONE);
    Sent kill = seat.takeSent().getFirst();
    assertThat(kill.message())
        .isEqualTo(new Data.KillCopies(GROUP, EPOCH, List.of(Data.Dead.record(doomed))));
    kill.answer(new Replies.Failed(ErrorCode.BUSY, "no room"));
    Sent again = seat.takeSent().getFirst();
    assertThat(again.message()).isEqualTo(kill.message());
    home.stop();
    again.answer(new Replies.Failed(ErrorCode.BUSY, "no room"));
    assertThat(seat.takeSent()).as("the next home decides").isEmpty();
  }

  @Test
  void aWholeFileThatIsDeletedTakesItsRecordsInFlightWithIt() {
    RecordId record = seat.keep(FILE, GROUP);
    RecordId other = seat.keep(new FileId(1, 6), GROUP);
    compare(record, other);
    poll();
    repair.killed(List.of(Data.Dead.file(FILE)));
    confirm(other, ErrorCode.NONE);
    assertThat(seat.takeSent()).isEmpty();
    confirm(record, ErrorCode.NONE);
    assertThat(seat.takeSent()).hasSize(1);
  }

  @Test
  void aTombstoneAtTheMemberDeletesTheRecordHereAndPaysTheDebt() {
    RecordId record = seat.keep(FILE, GROUP);
    compare(record);
    poll();
    assertThat(home.dropped).isEmpty();
    confirm(record, ErrorCode.GONE);
    assertThat(home.dropped).containsExactly(Data.Dead.record(record));
    poll();
    assertThat(toldManager()).hasSize(1);
  }

  @Test
  void theMemberDoesNotCountWhileADamagedRecordOfTheGroupMayComeBack() {
    RecordId damaged = new RecordId(5, 256);
    mending.damaged(damaged, FILE, SmallRing.id(2, 3).number(), 10);
    poll();
    assertThat(home.counted).as("the record of another group").containsExactly(true);
    MemberRepair second =
        new MemberRepair(
            new RepairParts(seat.basics(), seat.links(), copies, mending, pace), home, behind(3));
    mending.damaged(new RecordId(5, 512), FILE, GROUP.number(), 10);
    for (int i = 0; i < 5; i++) second.poll();
    assertThat(home.counted).hasSize(1);
    seat.sleep(60 * SECOND);
    for (int i = 0; i < 5; i++) second.poll();
    assertThat(home.counted).as("the copies may be on dead seats").hasSize(2);
  }

  @Test
  void aDamagedRecordIsSentOnceItHasBeenReplaced() {
    poll();
    toldManager();
    RecordId damaged = new RecordId(9, 256);
    mending.damaged(damaged, FILE, GROUP.number(), TestSeat.RECORD_BYTES);
    repair.owe(damaged, false);
    assertThat(poll()).isEmpty();
    assertThat(seat.keep(FILE, GROUP)).isEqualTo(damaged);
    assertThat(poll()).as("at the next tick").isEmpty();
    repair.tick();
    assertThat(copied(poll())).containsExactly(damaged);
  }

  @Test
  void aMemberThatCannotBeReachedIsNeitherComparedNorCounted() {
    seat.keep(FILE, GROUP);
    Sent question = pollForSent().getFirst();
    question.connection().close("gone");
    question.answer(new Data.MissingAre(List.of()));
    assertThat(poll()).isEmpty();
    assertThat(home.counted).isEmpty();
  }
}
