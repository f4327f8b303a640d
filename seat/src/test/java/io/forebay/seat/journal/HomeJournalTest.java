// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.journal;

import static io.forebay.seat.manager.state.SmallRing.behind;
import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.seat.TestSeat;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.store.disk.Faults;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.message.Journals;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HomeJournalTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long RESEND = ProtocolTimes.DEFAULT.requests().resendNanos();
  private static final int RECENT_ENTRIES_MAX = 4096;
  private static final int UNCOMMITTED_MAX = 64 * 1024;
  private static final GroupId GROUP = SmallRing.id(1, 3);
  private static final long EPOCH = 7;
  private static final SeatId SECOND_SEAT = new SeatId(2);
  private static final SeatId THIRD_SEAT = new SeatId(3);

  private TestSeat seat =
      new TestSeat(StoreConfig.memory(TestSeat.SEGMENT_BYTES, 64L * TestSeat.SEGMENT_BYTES));
  private final List<Long> committed = new ArrayList<>();
  private final List<JournalEntry> entries = new ArrayList<>();

  private HomeJournal home(Group.Member... members) {
    RingMap map = SmallRing.of(3).group(1, 3, members).instance(3, false).map();
    seat.follow(map);
    return new HomeJournal(
        seat.basics(),
        seat.links().peers(),
        map.groups().getFirst(),
        journal(),
        (index, entry) -> {
          committed.add(index);
          entries.add(entry);
        });
  }

  private GroupJournal journal() {
    return new GroupJournal(seat.basics().store(), GROUP);
  }

  private static JournalEntry entry(int number) {
    return new JournalEntry(JournalEntry.Kind.COMMAND, false, bytes(number, 4));
  }

  private static Bytes bytes(int number, int length) {
    return Bytes.copyOf(ByteBuffer.allocate(length).putInt(0, number));
  }

  private static void appended(HomeJournal home, SeatId member, boolean matched, long last) {
    home.appended(new Journals.Appended(GROUP, EPOCH, member, matched, last));
  }

  /** The entries that were sent since the last call; all of them to that member. */
  private List<Journals.Append> sentTo(SeatId member) {
    List<Journals.Append> appends = new ArrayList<>();
    for (Sent sent : seat.takeSent()) {
      assertThat(seat.seatOf(sent)).isEqualTo(member);
      appends.add((Journals.Append) sent.message());
    }
    return appends;
  }

  private Journals.Append onlySentTo(SeatId member) {
    List<Journals.Append> sent = sentTo(member);
    assertThat(sent).hasSize(1);
    return sent.getFirst();
  }

  @Test
  void anEntryIsCommittedOnceWhenEveryCurrentMemberHasIt() {
    HomeJournal home = home(current(1), current(2), current(3));
    home.propose(entry(1));
    appended(home, SECOND_SEAT, true, 1);
    assertThat(committed).isEmpty();
    appended(home, THIRD_SEAT, true, 1);
    assertThat(committed).containsExactly(1L);
    assertThat(entries).containsExactly(entry(1));
    appended(home, THIRD_SEAT, true, 1);
    assertThat(committed).hasSize(1);
  }

  @Test
  void entriesAreCommittedInOrderAndNoFurtherThanTheSlowestMember() {
    HomeJournal home = home(current(1), current(2), current(3));
    for (int i = 1; i <= 3; i++) home.propose(entry(i));
    appended(home, SECOND_SEAT, true, 3);
    appended(home, THIRD_SEAT, true, 2);
    assertThat(committed).containsExactly(1L, 2L);
    appended(home, THIRD_SEAT, true, 3);
    assertThat(committed).containsExactly(1L, 2L, 3L);
  }

  @Test
  void aMemberThatDoesNotMatchConfirmsNothing() {
    HomeJournal home = home(current(1), current(2));
    home.propose(entry(1));
    appended(home, SECOND_SEAT, false, 1);
    assertThat(committed).isEmpty();
  }

  @Test
  void aMemberThatIsBehindIsAwaitedOnlyWhileItCounts() {
    HomeJournal home = home(current(1), behind(2));
    home.propose(entry(1));
    assertThat(committed).containsExactly(1L);
    home.count(SECOND_SEAT, true);
    home.propose(entry(2));
    assertThat(committed).hasSize(1);
    home.count(SECOND_SEAT, false);
    assertThat(committed).containsExactly(1L, 2L);
  }

  @Test
  void entriesOfEarlierHomesAreNotReportedAgain() {
    home(current(1)).propose(entry(1));
    committed.clear();
    HomeJournal next = home(current(1), current(2));
    assertThat(next.last()).isEqualTo(1);
    appended(next, SECOND_SEAT, true, 1);
    assertThat(committed).isEmpty();
    next.propose(entry(2));
    appended(next, SECOND_SEAT, true, 2);
    assertThat(committed).containsExactly(2L);
  }

  @Test
  void aMemberGetsOneBatchAtATimeAndTheNextWhenItHasAnswered() {
    HomeJournal home = home(current(1), current(2));
    home.propose(entry(1));
    home.propose(entry(2));
    home.propose(entry(3));
    Journals.Append first = onlySentTo(SECOND_SEAT);
    assertThat(first.entries()).hasSize(1);
    assertThat(first.previousIndex()).isZero();
    appended(home, SECOND_SEAT, true, 1);
    Journals.Append next = onlySentTo(SECOND_SEAT);
    assertThat(next.previousIndex()).isEqualTo(1);
    assertThat(next.previousEpoch()).isEqualTo(EPOCH);
    assertThat(next.entries()).hasSize(2);
    assertThat(next.committed()).as("what the member may show").isEqualTo(0);
  }

  @Test
  void anUnansweredBatchIsSentAgainAfterATime() {
    HomeJournal home = home(current(1), current(2));
    home.propose(entry(1));
    Journals.Append first = onlySentTo(SECOND_SEAT);
    seat.sleep(RESEND);
    home.poll();
    assertThat(seat.takeSent()).isEmpty();
    seat.sleep(1);
    home.poll();
    assertThat(onlySentTo(SECOND_SEAT)).isEqualTo(first);
    home.peerUp(SECOND_SEAT);
    assertThat(onlySentTo(SECOND_SEAT)).as("a new connection").isEqualTo(first);
  }

  @Test
  void aFullMemberIsAskedAgainAtTheNextPollAndNotAtOnce() {
    HomeJournal home = home(current(1), current(2));
    home.propose(entry(1));
    Journals.Append first = onlySentTo(SECOND_SEAT);
    appended(home, SECOND_SEAT, true, 0);
    assertThat(seat.takeSent()).isEmpty();
    home.poll();
    assertThat(onlySentTo(SECOND_SEAT)).isEqualTo(first);
  }

  @Test
  void theHomeGoesBackToWhereAMembersJournalAgrees() {
    HomeJournal before = home(current(1));
    for (int i = 1; i <= 5; i++) before.propose(entry(i));
    HomeJournal home = home(current(1), current(2));
    home.propose(entry(6));
    assertThat(onlySentTo(SECOND_SEAT).previousIndex()).isEqualTo(5);
    appended(home, SECOND_SEAT, false, 4);
    assertThat(onlySentTo(SECOND_SEAT).previousIndex()).isEqualTo(4);
    appended(home, SECOND_SEAT, false, 1);
    Journals.Append found = onlySentTo(SECOND_SEAT);
    assertThat(found.previousIndex()).isEqualTo(1);
    assertThat(found.entries()).as("read from the log one by one").hasSize(1);
    assertThat(found.entries().getFirst().content()).isEqualTo(entry(2).write());
  }

  @Test
  void theHomeDoesNotGoBackBeforeItsFirstEntry() {
    HomeJournal before = home(current(1));
    for (int i = 1; i <= 5; i++) before.propose(entry(i));
    before.trim(4);
    HomeJournal home = home(current(1), current(2));
    home.propose(entry(6));
    seat.takeSent();
    appended(home, SECOND_SEAT, false, 0);
    Journals.Append first = onlySentTo(SECOND_SEAT);
    assertThat(first.previousIndex()).isEqualTo(3);
    assertThat(first.previousEpoch()).as("a snapshot is there").isNegative();
  }

  @Test
  void aMemberThatIsBehindGetsNothingBeforeASnapshotOfThisEpochAndBeginsWithIt() {
    HomeJournal home = home(current(1), behind(2));
    for (int i = 1; i <= 4; i++) home.propose(entry(i));
    assertThat(seat.takeSent()).isEmpty();
    assertThat(home.begun(SECOND_SEAT)).isFalse();
    assertThat(home.lacking(SECOND_SEAT)).isEqualTo(4);
    home.beginAnew(3);
    Journals.Append begin = onlySentTo(SECOND_SEAT);
    assertThat(begin.previousIndex()).isEqualTo(2);
    assertThat(begin.previousEpoch()).isNegative();
    assertThat(begin.entries()).hasSize(2);
    assertThat(home.begun(SECOND_SEAT)).isTrue();
    appended(home, SECOND_SEAT, false, 0);
    assertThat(home.lacking(SECOND_SEAT)).isEqualTo(4);
    home.poll();
    assertThat(onlySentTo(SECOND_SEAT)).as("nothing before the snapshot").isEqualTo(begin);
    appended(home, SECOND_SEAT, true, 4);
    assertThat(home.lacking(SECOND_SEAT)).isZero();
  }

  @Test
  void aMemberThatCountsIsNotMadeToBeginAnew() {
    HomeJournal home = home(current(1), current(2));
    for (int i = 1; i <= 4; i++) home.propose(entry(i));
    seat.takeSent();
    home.beginAnew(3);
    assertThat(seat.takeSent()).isEmpty();
    appended(home, SECOND_SEAT, true, 1);
    assertThat(onlySentTo(SECOND_SEAT).previousIndex()).isEqualTo(1);
  }

  @Test
  void entriesThatMemoryNoLongerHasAreReadFromTheLog() {
    HomeJournal home = home(current(1), behind(2));
    for (int i = 1; i <= RECENT_ENTRIES_MAX + 1; i++) home.propose(entry(i));
    home.beginAnew(1);
    Journals.Append begin = onlySentTo(SECOND_SEAT);
    assertThat(begin.previousIndex()).isZero();
    assertThat(begin.entries().getFirst().content()).isEqualTo(entry(1).write());
    assertThat(begin.entries().getFirst().epoch()).isEqualTo(EPOCH);
  }

  @Test
  void aTrimGoesToAllMembersAndDropsEntriesHere() {
    HomeJournal home = home(current(1), current(2));
    for (int i = 1; i <= 4; i++) home.propose(entry(i));
    seat.takeSent();
    home.trim(3);
    assertThat(seat.takeSent())
        .extracting(Sent::message)
        .containsExactly(new Journals.Trim(GROUP, EPOCH, 3));
    assertThat(journal().first()).isEqualTo(3);
  }

  @Test
  void entriesWithoutRoomWaitInOrderAndAreNotCommitted() {
    seat = new TestSeat();
    HomeJournal home = home(current(1));
    int count = 0;
    while (home.waiting() < 2) {
      assertThat(count++).isLessThan(1000);
      home.propose(new JournalEntry(JournalEntry.Kind.COMMAND, false, bytes(count, 10_000)));
    }
    assertThat(committed).hasSize(count - 2);
    assertThat(home.last()).isEqualTo(count - 2);
    home.trim(home.last());
    for (int i = 0; i < 100 && home.waiting() > 0; i++) {
      seat.settle();
      home.appendWaiting();
    }
    assertThat(committed).hasSize(count).isSorted();
    assertThat(entries).extracting(each -> each.content().asBuffer().getInt()).isSorted();
  }

  @Test
  void tooManyUncommittedEntriesAreRefused() {
    HomeJournal home = home(current(1), current(2));
    for (int i = 1; i < UNCOMMITTED_MAX; i++) home.propose(entry(i));
    assertThat(home.takesMore()).isTrue();
    home.propose(entry(UNCOMMITTED_MAX));
    assertThat(home.takesMore()).isFalse();
    appended(home, SECOND_SEAT, true, 1);
    assertThat(home.takesMore()).isTrue();
  }

  @Test
  void aJournalThatHasAnotherEntryThereIsGivenUp() {
    HomeJournal home = home(current(1));
    home.propose(entry(1));
    journal().append(2, new Journals.Entry(EPOCH, false, entry(9).write()), answer -> {});
    home.propose(entry(2));
    assertThat(seat.givenUp()).hasSize(1);
    assertThat(committed).containsExactly(1L);
    assertThat(home.takesMore()).isFalse();
    home.propose(entry(3));
    assertThat(home.last()).isEqualTo(1);
  }

  @Test
  void aForcedEntryThatTheDeviceRefusesIsNotCommittedUntilItIsSafe() {
    long bytes = 32L * TestSeat.SEGMENT_BYTES;
    seat = new TestSeat(StoreConfig.hybrid(TestSeat.SEGMENT_BYTES, bytes, bytes));
    HomeJournal home = home(current(1));
    home.propose(JournalEntry.of(JournalEntry.Kind.NOTHING, true));
    assertThat(committed).as("not before the force").isEmpty();
    seat.settle();
    assertThat(committed).containsExactly(1L);
    seat.ssd().setFaults(Faults.NONE.withForceError(1));
    home.propose(JournalEntry.of(JournalEntry.Kind.NOTHING, true));
    seat.settle();
    assertThat(seat.givenUp()).isNotEmpty();
    assertThat(committed).hasSize(1);
    assertThat(home.takesMore()).isFalse();
    seat.ssd().setFaults(Faults.NONE);
    for (int i = 0; i < 1000 && committed.size() == 1; i++) {
      seat.sleep(SECOND);
      home.poll();
      seat.settle();
    }
    assertThat(committed).containsExactly(1L, 2L);
    assertThat(home.takesMore()).isTrue();
  }
}
