// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.reclaim;

import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.ring.RingMap;
import io.forebay.seat.TestSeat;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SweepTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long SOON = 5 * SECOND;
  private static final long SELDOM = 300 * SECOND;
  private static final long PAUSE = SECOND / 100;
  private static final FileId FILE = new FileId(1, Names.inTree(0, 5));
  private static final FileId PRIVATE = new FileId(1, Names.inTree(3, 5));
  private static final GroupId GROUP = SmallRing.id(2, 1);
  private static final GroupId OTHER = SmallRing.id(3, 1);

  private final TestSeat seat = new TestSeat();
  private final Sweep sweep =
      new Sweep(seat.basics(), seat.questions(), seat.intake(), group -> null);

  /** The instance's root is at group 1, whose home is seat 2. */
  private static RingMap map(int homeOfRoot) {
    return SmallRing.of(3)
        .group(1, 1, current(homeOfRoot))
        .group(2, 1, current(2))
        .group(3, 1, current(3))
        .instance(1, false)
        .map();
  }

  @BeforeEach
  void follow() {
    seat.follow(map(2));
  }

  /** Polls with the pauses between questions, until something is asked or it has nothing to do. */
  private List<Sent> sweep() {
    for (int i = 0; i < 10; i++) {
      sweep.poll();
      List<Sent> sent = seat.takeSent();
      if (!sent.isEmpty()) return sent;
      seat.sleep(PAUSE);
    }
    return List.of();
  }

  private static Data.AskDead asked(Sent sent) {
    return (Data.AskDead) sent.message();
  }

  private static void answer(Sent sent, long version, RecordId... dead) {
    sent.answer(new Data.DeadAre(List.of(dead), version));
  }

  /** One round in which nothing is dead; returns how many questions it had. */
  private int round(long version) {
    int questions = 0;
    for (List<Sent> sent = sweep(); !sent.isEmpty(); sent = sweep()) {
      questions++;
      answer(sent.getFirst(), version);
    }
    return questions;
  }

  @Test
  void beginsSoonAfterAStartAndNotBefore() {
    seat.keep(FILE, GROUP);
    seat.sleep(SOON - 1);
    sweep.poll();
    sweep.poll();
    sweep.poll();
    assertThat(seat.takeSent()).isEmpty();
    seat.sleep(1);
    sweep.poll();
    sweep.poll();
    sweep.poll();
    assertThat(seat.takeSent()).hasSize(1);
  }

  @Test
  void asksTheHomeOfTheTreeForAllRecordsAndDropsTheDeadOnesAtTheHomeOfTheirGroup() {
    RecordId dead = seat.keep(FILE, OTHER);
    RecordId live = seat.keep(FILE, GROUP);
    seat.sleep(SOON);
    Sent sent = sweep().getFirst();
    assertThat(seat.seatOf(sent).number()).isEqualTo(2);
    assertThat(asked(sent).records()).containsExactlyInAnyOrder(dead, live);
    answer(sent, 1, dead);
    Sent kill = seat.takeSent().getFirst();
    assertThat(seat.seatOf(kill).number()).isEqualTo(3);
    Data.Kill message = (Data.Kill) kill.message();
    assertThat(message.group()).isEqualTo(OTHER);
    assertThat(message.dead()).containsExactly(Data.Dead.record(dead));
    kill.answer(new Replies.Done());
    assertThat(seat.basics().counters().now(0, 0, 0).swept()).isEqualTo(1);
  }

  @Test
  void homesHaveAPauseAsLongAsEightAnswers() {
    seat.keep(FILE, GROUP);
    seat.keep(PRIVATE, GROUP);
    seat.sleep(SOON);
    Sent first = sweep().getFirst();
    seat.advance(SECOND);
    answer(first, 1);
    seat.sleep(8 * SECOND - 1);
    sweep.poll();
    assertThat(seat.takeSent()).isEmpty();
    seat.sleep(1);
    sweep.poll();
    assertThat(seat.takeSent()).hasSize(1);
  }

  @Test
  void aTreeThatIsElsewhereIsAskedForThereFromThenOn() {
    seat.keep(PRIVATE, GROUP);
    seat.sleep(SOON);
    Sent first = sweep().getFirst();
    first.answer(new Data.TreeIsIn(OTHER));
    Sent second = sweep().getFirst();
    assertThat(asked(second).treeGroup()).isEqualTo(OTHER);
    assertThat(asked(second).records()).isEqualTo(asked(first).records());
    second.answer(new Data.TreeIsIn(OTHER));
    assertThat(sweep()).as("it would be asked for ever").isEmpty();
  }

  @Test
  void afterAWholeRoundTheNextIsSeldomAndAsksOnlyWhetherAnythingChanged() {
    seat.keep(FILE, GROUP);
    seat.sleep(SOON);
    assertThat(round(7)).isEqualTo(1);
    seat.sleep(SELDOM - SECOND);
    assertThat(sweep()).isEmpty();
    seat.sleep(SECOND);
    Sent changed = sweep().getFirst();
    assertThat(asked(changed).records()).isEmpty();
    answer(changed, 7);
    assertThat(sweep()).as("nothing has changed").isEmpty();
    seat.sleep(SELDOM);
    answer(sweep().getFirst(), 8);
    assertThat(asked(sweep().getFirst()).records()).hasSize(1);
  }

  @Test
  void recordsThatCameSinceAreAskedFor() {
    seat.keep(FILE, GROUP);
    seat.sleep(SOON);
    round(7);
    seat.keep(FILE, GROUP);
    seat.basics().counters().put(TestSeat.RECORD_BYTES);
    seat.sleep(SELDOM);
    assertThat(asked(sweep().getFirst()).records()).hasSize(2);
  }

  @Test
  void recordsOfAnInstanceThatHasEndedAreDroppedAndThoseOfAnUnknownOneStay() {
    RecordId late = seat.keep(FILE, GROUP);
    RecordId live = seat.keep(new FileId(2, FILE.number()), GROUP);
    RecordId unknown = seat.keep(new FileId(3, FILE.number()), GROUP);
    seat.follow(
        SmallRing.of(3)
            .group(1, 1, current(2))
            .group(2, 1, current(2))
            .instance(1, true)
            .instance(1, false)
            .map());
    seat.sleep(SOON);
    assertThat(asked(sweep().getFirst()).records()).containsExactly(live);
    assertThat(seat.basics().store().present(late)).isFalse();
    assertThat(seat.basics().store().present(unknown)).isTrue();
  }

  @Test
  void aHomeThatDoesNotAnswerIsPassedOverAndAskedAgainSoon() {
    seat.keep(FILE, GROUP);
    seat.sleep(SOON);
    sweep().getFirst().answer(new Replies.Failed(ErrorCode.UNAVAILABLE, "not now"));
    assertThat(sweep()).isEmpty();
    seat.sleep(SOON);
    assertThat(asked(sweep().getFirst()).records()).hasSize(1);
  }

  @Test
  void changesOfGroupsMakeTheNextRoundCloser() {
    sweep.mapChanged(map(2));
    seat.keep(FILE, GROUP);
    seat.sleep(SOON);
    round(7);
    assertThat(sweep.mapChanged(map(2))).isFalse();
    RingMap changed =
        SmallRing.of(3).group(1, 1, current(3)).group(2, 1, current(2)).instance(1, false).map();
    assertThat(sweep.mapChanged(changed)).isTrue();
    seat.sleep(SOON);
    assertThat(asked(sweep().getFirst()).records()).as("all again").hasSize(1);
  }

  @Test
  void writersThatWaitMakeItASecond() {
    seat.keep(FILE, GROUP);
    seat.sleep(SOON);
    round(7);
    seat.press();
    seat.sleep(SECOND / 2);
    sweep.poll();
    sweep.poll();
    sweep.poll();
    assertThat(seat.takeSent()).isEmpty();
    seat.sleep(SECOND / 2);
    assertThat(sweep()).isNotEmpty();
  }

  @Test
  void manyRecordsAreAskedForInPortions() {
    int count = 2048 + 1;
    TestSeat large =
        new TestSeat(
            StoreConfig.memory(64 * TestSeat.SEGMENT_BYTES, 6L * 64 * TestSeat.SEGMENT_BYTES));
    large.follow(map(2));
    Sweep many = new Sweep(large.basics(), large.questions(), large.intake(), group -> null);
    for (int i = 0; i < count; i++) large.keep(FILE, GROUP);
    large.sleep(SOON);
    List<Integer> sizes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      many.poll();
      for (Sent sent : large.takeSent()) {
        sizes.add(asked(sent).records().size());
        answer(sent, 1);
      }
      large.sleep(PAUSE);
    }
    assertThat(sizes).containsExactly(2048, 1);
  }

  @Test
  void recordsOfInstancesThatAreGoneAreNobodysQuestion() {
    seat.keep(new FileId(2, 5), GROUP);
    seat.sleep(SOON);
    assertThat(sweep()).isEmpty();
  }

  @Test
  void aDropThatFailsAfterTheRoundBringsTheNextSoon() {
    RecordId dead = seat.keep(FILE, OTHER);
    seat.sleep(SOON);
    answer(sweep().getFirst(), 1, dead);
    Sent kill = seat.takeSent().getFirst();
    assertThat(sweep()).isEmpty();
    kill.answer(new Replies.Failed(ErrorCode.BUSY, "no room for a tombstone"));
    seat.sleep(SOON);
    assertThat(asked(sweep().getFirst()).records()).containsExactly(dead);
  }
}
