// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.journal;

import static io.forebay.seat.manager.state.SmallRing.behind;
import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.ring.Group;
import io.forebay.seat.TestSeat;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.store.record.ReadResult;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Journals;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemberJournalTest {
  private static final GroupId GROUP = SmallRing.id(2, 3);
  private static final long EPOCH = 7;

  private final TestSeat seat = new TestSeat();
  private final Connection home = seat.client();
  private final GroupJournal journal = new GroupJournal(seat.basics().store(), GROUP);

  private MemberJournal member(Group.Member self) {
    return new MemberJournal(
        seat.basics(), new Group(GROUP, EPOCH, List.of(current(2), self)), journal);
  }

  private static Journals.Entry entry(long epoch, int number) {
    Bytes content = Bytes.copyOf(ByteBuffer.allocate(4).putInt(0, number));
    return new Journals.Entry(epoch, false, content);
  }

  /** The journal has these entries already, from the first index on. */
  private void have(Journals.Entry... entries) {
    for (Journals.Entry entry : entries) journal.append(journal.last() + 1, entry, answer -> {});
  }

  private Journals.Appended append(
      MemberJournal member, long previous, long previousEpoch, Journals.Entry... entries) {
    member.append(
        home, 1, new Journals.Append(GROUP, EPOCH, previous, previousEpoch, 0, List.of(entries)));
    List<Sent> sent = seat.takeSent();
    assertThat(sent).hasSize(1);
    return (Journals.Appended) sent.getFirst().message();
  }

  private static Journals.Appended matched(long last) {
    return new Journals.Appended(GROUP, EPOCH, TestSeat.SELF, true, last);
  }

  private static Journals.Appended refused(long last) {
    return new Journals.Appended(GROUP, EPOCH, TestSeat.SELF, false, last);
  }

  private List<Integer> numbers() {
    List<Integer> numbers = new ArrayList<>();
    for (long index = journal.first(); index <= journal.last(); index++) {
      journal.read(
          index,
          result ->
              numbers.add(GroupJournal.contentOf((ReadResult.Bytes) result).asBuffer().getInt()));
    }
    return numbers;
  }

  @Test
  void entriesAreTakenWhereTheJournalEnds() {
    MemberJournal member = member(current(1));
    assertThat(append(member, 0, -1, entry(EPOCH, 1), entry(EPOCH, 2))).isEqualTo(matched(2));
    assertThat(append(member, 2, EPOCH, entry(EPOCH, 3))).isEqualTo(matched(3));
    assertThat(numbers()).containsExactly(1, 2, 3);
  }

  @Test
  void entriesBehindAGapAreRefused() {
    have(entry(6, 1));
    MemberJournal member = member(current(1));
    assertThat(append(member, 3, 6, entry(EPOCH, 4))).isEqualTo(refused(1));
    assertThat(numbers()).containsExactly(1);
  }

  @Test
  void entriesBehindAnotherEntryAreRefused() {
    have(entry(5, 1), entry(5, 2), entry(5, 3));
    MemberJournal member = member(current(1));
    assertThat(append(member, 3, 6, entry(EPOCH, 4))).isEqualTo(refused(2));
    assertThat(numbers()).as("nothing is cut before the home has found the place").hasSize(3);
  }

  @Test
  void anotherEntryGivesWayWithAllBehindIt() {
    have(entry(5, 1), entry(5, 2), entry(5, 3), entry(5, 4));
    MemberJournal member = member(current(1));
    assertThat(append(member, 1, 5, entry(6, 12))).isEqualTo(matched(2));
    assertThat(numbers()).containsExactly(1, 12);
  }

  @Test
  void theSameEntryStaysWithAllBehindIt() {
    have(entry(6, 1), entry(6, 2), entry(6, 3));
    MemberJournal member = member(current(1));
    assertThat(append(member, 0, -1, entry(6, 1), entry(6, 2))).isEqualTo(matched(2));
    assertThat(numbers()).as("a batch that came twice, late").containsExactly(1, 2, 3);
  }

  @Test
  void aMemberThatIsBehindTakesNothingBeforeTheHomeLetsItBegin() {
    have(entry(6, 1), entry(6, 2));
    MemberJournal member = member(behind(1));
    assertThat(append(member, 2, 6, entry(EPOCH, 3))).isEqualTo(refused(0));
    assertThat(numbers()).containsExactly(1, 2);
  }

  @Test
  void aMemberThatIsBehindKeepsNothingOfItsOwnJournalWhenItBegins() {
    have(entry(6, 1), entry(6, 2), entry(6, 3), entry(6, 4), entry(6, 5));
    MemberJournal member = member(behind(1));
    assertThat(append(member, 2, -1, entry(EPOCH, 13))).isEqualTo(matched(3));
    assertThat(journal.first()).isEqualTo(3);
    assertThat(numbers()).containsExactly(13);
    assertThat(append(member, 3, EPOCH, entry(EPOCH, 14))).isEqualTo(matched(4));
  }

  @Test
  void aBeginThatComesTwiceDropsNothing() {
    MemberJournal member = member(behind(1));
    append(member, 2, -1, entry(EPOCH, 3));
    append(member, 3, EPOCH, entry(EPOCH, 4));
    assertThat(append(member, 2, -1, entry(EPOCH, 3))).isEqualTo(matched(3));
    assertThat(numbers()).containsExactly(3, 4);
  }

  @Test
  void aNewHomeHearsWhereTheJournalEnds() {
    have(entry(5, 1), entry(6, 2));
    member(current(1)).ask(home, 1);
    assertThat(seat.takeSent())
        .extracting(Sent::message)
        .containsExactly(new Journals.JournalIs(GROUP, EPOCH, TestSeat.SELF, 1, 2, 6));
  }
}
