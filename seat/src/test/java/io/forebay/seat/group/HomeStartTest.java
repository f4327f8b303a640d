// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.group;

import static io.forebay.seat.manager.state.SmallRing.behind;
import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupCommands;
import io.forebay.namespace.GroupState;
import io.forebay.ring.Group;
import io.forebay.seat.TestSeat;
import io.forebay.seat.group.HomeStart.Built;
import io.forebay.seat.journal.GroupJournal;
import io.forebay.seat.journal.HomeJournal;
import io.forebay.seat.journal.JournalEntry;
import io.forebay.seat.journal.JournalEntry.Kind;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.store.record.ReadResult;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Journals;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HomeStartTest {
  private static final long ASK = ProtocolTimes.DEFAULT.requests().startNanos();
  private static final GroupId GROUP = SmallRing.id(1, 3);
  private static final long EPOCH = 9;
  private static final SeatId SECOND_SEAT = new SeatId(2);
  private static final SeatId THIRD_SEAT = new SeatId(3);

  private final Copy own = new Copy();
  private final Copy second = new Copy();
  private final Copy third = new Copy();
  private final TestSeat seat = own.seat;
  private @Nullable Built built;

  /** A copy of the group's journal in a log of its own. */
  private static final class Copy {
    final TestSeat seat = new TestSeat();
    final GroupJournal journal = new GroupJournal(seat.basics().store(), GROUP);

    /** Appends entries as the home of an epoch. */
    HomeJournal write(long epoch, JournalEntry... entries) {
      HomeJournal home =
          new HomeJournal(
              seat.basics(),
              seat.links().peers(),
              new Group(GROUP, epoch, List.of(current(1))),
              journal,
              (index, entry) -> {});
      for (JournalEntry entry : entries) home.propose(entry);
      return home;
    }

    Journals.JournalIs is(SeatId member) {
      long last = journal.last();
      return new Journals.JournalIs(
          GROUP, EPOCH, member, journal.first(), last, journal.epochAt(last));
    }

    Journals.Entry entry(long index) {
      Bytes[] content = {Bytes.EMPTY};
      journal.read(index, result -> content[0] = GroupJournal.contentOf((ReadResult.Bytes) result));
      return new Journals.Entry(journal.epochAt(index), false, content[0]);
    }

    /** At most this many, as a member sends them. */
    Journals.Entries from(long index, int max) {
      List<Journals.Entry> entries = new ArrayList<>();
      for (long i = index; i <= journal.last() && entries.size() < max; i++) entries.add(entry(i));
      return new Journals.Entries(GROUP, EPOCH, index, entries);
    }
  }

  private HomeStart start(Group.Member... members) {
    return start(Group.Restoration.NEVER, members);
  }

  private HomeStart start(Group.Restoration restoration, Group.Member... members) {
    seat.follow(SmallRing.of(3).group(1, 3, members).instance(3, false).map());
    Group group = new Group(GROUP, EPOCH, List.of(members), restoration);
    HomeStart start =
        new HomeStart(
            seat.basics(), seat.questions(), group, own.journal, ready -> this.built = ready);
    start.start();
    return start;
  }

  private void read(HomeStart start) {
    for (int i = 0; i < 5; i++) start.poll();
  }

  /** A command that begins the tree of an instance: the state shows whether it was applied. */
  private static JournalEntry begin(int instance) {
    GroupCommand command = new GroupCommand.BeginTree(instance, 0, 0, 0, 0, false, 1);
    return new JournalEntry(Kind.COMMAND, false, GroupCommands.write(command));
  }

  private static JournalEntry[] begins(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(i -> begin(i)).toArray(JournalEntry[]::new);
  }

  private static JournalEntry mark(Kind kind) {
    return JournalEntry.of(kind, false);
  }

  /** The part of a snapshot of a state in which these instances have a tree. */
  private static JournalEntry part(int... instances) {
    GroupState state = new GroupState(GROUP);
    long index = 0;
    for (int instance : instances) {
      state.apply(++index, new GroupCommand.BeginTree(instance, 0, 0, 0, 0, false, 1));
    }
    List<Bytes> parts = new ArrayList<>();
    state.snapshot(GroupState.CHUNK_BYTES_MIN, parts::add);
    assertThat(parts).hasSize(1);
    return new JournalEntry(Kind.SNAPSHOT_PART, false, parts.getFirst());
  }

  private List<Integer> instances() {
    assertThat(built).isNotNull();
    return built == null ? List.of() : built.state().instances();
  }

  private Sent fetch() {
    List<Sent> sent = seat.takeSent();
    assertThat(sent).hasSize(1);
    assertThat(sent.getFirst().message()).isInstanceOf(Journals.FetchEntries.class);
    return sent.getFirst();
  }

  private static long fromIndex(Sent fetch) {
    return ((Journals.FetchEntries) fetch.message()).fromIndex();
  }

  /** Answers the questions for journals, in the order of the seats. */
  private void answer(Copy... copies) {
    List<Sent> questions = seat.takeSent();
    assertThat(questions).hasSize(copies.length);
    for (int i = 0; i < copies.length; i++) {
      Sent question = questions.get(i);
      assertThat(question.message()).isEqualTo(new Journals.AskJournal(GROUP, EPOCH));
      question.answer(copies[i].is(seat.seatOf(question)));
    }
  }

  /** Fetches until nothing more is asked; returns the member that was asked. */
  private List<SeatId> fetchAll(Copy from) {
    List<SeatId> asked = new ArrayList<>();
    for (List<Sent> sent = seat.takeSent(); !sent.isEmpty(); sent = seat.takeSent()) {
      asked.add(seat.seatOf(sent.getFirst()));
      sent.getFirst().answer(from.from(fromIndex(sent.getFirst()), 2));
    }
    return asked;
  }

  @Test
  void aHomeAloneStartsWithItsOwnJournal() {
    own.write(8, begins(1, 3));
    HomeStart start = start(current(1));
    assertThat(built).isNull();
    read(start);
    assertThat(instances()).containsExactly(1, 2, 3);
  }

  @Test
  void everyCurrentMemberIsAskedAndNothingStartsBeforeAllHaveAnswered() {
    HomeStart start = start(current(1), current(2), current(3));
    List<Sent> questions = seat.takeSent();
    assertThat(questions).extracting(seat::seatOf).containsExactly(SECOND_SEAT, THIRD_SEAT);
    questions.getFirst().answer(second.is(SECOND_SEAT));
    read(start);
    assertThat(built).isNull();
    assertThat(start.waitsFor(SECOND_SEAT)).isFalse();
    assertThat(start.waitsFor(THIRD_SEAT)).isTrue();
    questions.getLast().answer(third.is(THIRD_SEAT));
    read(start);
    assertThat(built).isNotNull();
  }

  @Test
  void aMemberThatIsBehindIsNotAsked() {
    second.write(8, begin(1));
    HomeStart start = start(current(1), behind(2));
    assertThat(seat.takeSent()).isEmpty();
    read(start);
    assertThat(instances()).isEmpty();
  }

  @Test
  void anAnswerOfAnotherEpochDoesNotCount() {
    HomeStart start = start(current(1), current(2));
    seat.takeSent()
        .getFirst()
        .answer(new Journals.JournalIs(GROUP, EPOCH - 1, SECOND_SEAT, 1, 0, -1));
    read(start);
    assertThat(built).isNull();
    assertThat(start.waitsFor(SECOND_SEAT)).isTrue();
  }

  @Test
  void aMemberThatDoesNotAnswerIsAskedAgain() {
    HomeStart start = start(current(1), current(2));
    seat.takeSent();
    seat.sleep(ASK);
    start.poll();
    assertThat(seat.takeSent()).isEmpty();
    seat.sleep(1);
    start.poll();
    answer(second);
    read(start);
    assertThat(built).isNotNull();
  }

  @Test
  void theJournalOfTheLatestEpochIsAdoptedEvenIfItIsShorter() {
    own.write(6, begins(1, 5));
    second.write(6, begin(1));
    second.write(8, begin(12));
    third.write(6, begins(1, 7));
    HomeStart start = start(current(1), current(2), current(3));
    answer(second, third);
    assertThat(fetchAll(second)).containsOnly(SECOND_SEAT);
    read(start);
    assertThat(instances()).containsExactly(1, 12);
    assertThat(own.journal.last()).as("its own tail is gone").isEqualTo(2);
  }

  @Test
  void ofJournalsOfOneEpochTheLongestIsAdopted() {
    own.write(8, begins(1, 2));
    second.write(8, begins(1, 3));
    third.write(8, begins(1, 5));
    HomeStart start = start(current(1), current(2), current(3));
    answer(second, third);
    assertThat(fetchAll(third)).containsOnly(THIRD_SEAT);
    read(start);
    assertThat(instances()).containsExactly(1, 2, 3, 4, 5);
  }

  @Test
  void aJournalThatGoesNoFurtherIsNotFetched() {
    own.write(8, begins(1, 3));
    second.write(8, begins(1, 3));
    third.write(7, begins(1, 6));
    HomeStart start = start(current(1), current(2), current(3));
    answer(second, third);
    assertThat(seat.takeSent()).isEmpty();
    read(start);
    assertThat(instances()).containsExactly(1, 2, 3);
  }

  @Test
  void whereTheJournalsDoNotAgreeTheHomeFetchesFromTheFirstEntry() {
    JournalEntry[] many =
        IntStream.range(0, 300).mapToObj(i -> mark(Kind.NOTHING)).toArray(JournalEntry[]::new);
    own.write(5, many);
    own.write(6, begin(1));
    second.write(7, many);
    second.write(8, begins(2, 3));
    HomeStart start = start(current(1), current(2));
    answer(second);
    Sent first = fetch();
    assertThat(fromIndex(first)).as("256 entries before the own end").isEqualTo(45);
    first.answer(second.from(45, 2));
    Sent again = fetch();
    assertThat(fromIndex(again)).isEqualTo(1);
    again.answer(second.from(1, 1000));
    read(start);
    assertThat(instances()).containsExactly(2, 3);
    assertThat(own.journal.epochAt(1)).isEqualTo(7);
  }

  @Test
  void aFetchWithoutEntriesBeginsTheWholeStartAgain() {
    second.write(8, begin(1));
    third.write(8, begins(1, 2));
    HomeStart start = start(current(1), current(2), current(3));
    answer(second, third);
    fetch().answer(new Replies.Failed(ErrorCode.FAILED, "it is damaged"));
    seat.advance(ASK);
    third.write(8);
    answer(second, second);
    assertThat(fetchAll(second)).isNotEmpty();
    read(start);
    assertThat(instances()).containsExactly(1);
  }

  @Test
  void nothingHappensAfterTheEpochIsOver() {
    second.write(8, begin(1));
    HomeStart start = start(current(1), current(2));
    start.stop();
    answer(second);
    assertThat(seat.takeSent()).isEmpty();
    read(start);
    assertThat(built).isNull();
  }

  @Test
  void aSnapshotReplacesEverythingBeforeIt() {
    own.write(8, begin(1), mark(Kind.SNAPSHOT_BEGIN), part(5), mark(Kind.SNAPSHOT_END), begin(6));
    read(start(current(1)));
    assertThat(instances()).containsExactly(5, 6);
    assertThat(built).isNotNull();
    assertThat(built.snapshotIndex()).isEqualTo(2);
    assertThat(built.grownBytes()).isEqualTo(begin(6).content().length());
  }

  @Test
  void anUnfinishedSnapshotSaysNothing() {
    own.write(7, begin(1), mark(Kind.SNAPSHOT_BEGIN), part(5));
    own.write(8, mark(Kind.NOTHING), mark(Kind.SNAPSHOT_END), begin(6));
    read(start(current(1)));
    assertThat(instances()).containsExactly(1, 6);
    assertThat(built).isNotNull();
    assertThat(built.snapshotIndex()).isZero();
  }

  @Test
  void aJournalWithoutItsBeginningIsVoidUntilItsGroupContinuedWithoutIt() {
    HomeJournal home = own.write(8, begins(1, 3));
    Bytes restored = GroupCommands.write(new GroupCommand.Restored(List.of()));
    own.write(8, new JournalEntry(Kind.COMMAND, false, restored), begin(4));
    home.trim(2);
    read(start(current(1)));
    assertThat(instances()).containsExactly(4);
  }

  @Test
  void anUnreadableEntryGivesTheGroupUp() {
    own.write(8, begin(1));
    Bytes unknown = Bytes.copyOf(ByteBuffer.wrap(new byte[] {77}));
    own.journal.append(2, new Journals.Entry(8, false, unknown), answer -> {});
    read(start(current(1)));
    assertThat(built).isNull();
    assertThat(seat.givenUp()).singleElement().asString().contains("entry 2");
  }

  @Test
  void afterALossOfMemoryEntriesBehindAGapDoNotCount() {
    own.write(7, begins(1, 2));
    second.write(7, begins(1, 4));
    own.journal.append(4, second.entry(4), answer -> {});
    read(start(new Group.Restoration(8, 1), current(1)));
    assertThat(instances()).containsExactly(1, 2);
    assertThat(own.journal.last()).isEqualTo(2);
    assertThat(built).isNotNull();
    assertThat(built.restored()).isTrue();
    assertThat(seat.warned()).hasSize(1);
  }

  @Test
  void aLossThatTheJournalKnowsOfIsNotRestoredAgain() {
    own.write(8, begins(1, 2));
    read(start(new Group.Restoration(8, 1), current(1)));
    assertThat(built).isNotNull();
    assertThat(built.restored()).isFalse();
    assertThat(seat.warned()).isEmpty();
  }
}
