// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.attempt;

import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.backing.BackingFailure;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.seat.TestSeat;
import io.forebay.seat.drain.TestTree;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.part.TreeContext;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.wire.message.Drains;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FormerAttemptsTest {
  private final TestSeat seat = new TestSeat();
  private final TestTree tree = new TestTree(seat);
  private final FormerAttempts former = new FormerAttempts(seat.basics(), seat.questions(), tree);

  @BeforeEach
  void follow() {
    seat.follow(SmallRing.of(3).away(3).group(1, 1, current(1)).instance(1, false).map());
  }

  private static GroupCommand ended(long file, DrainAttempt attempt) {
    return new GroupCommand.EndDrain(TestTree.INSTANCE, 0, file, attempt.number());
  }

  @Test
  void whatNobodyWorksAtIsAbortedAndThenEndedInTheJournal() {
    long file = tree.write("a");
    DrainAttempt attempt = tree.begin(file);
    former.takeBack();
    assertThat(tree.backing().aborted()).hasSize(1);
    assertThat(tree.suspected()).containsExactly(attempt);
    assertThat(tree.takeProposed()).containsExactly(ended(file, attempt));
    assertThat(tree.view().attempt(file)).isNull();
    former.takeBack();
    assertThat(tree.takeProposed()).isEmpty();
  }

  @Test
  void seatsThatArePresentHearThatItIsOver() {
    tree.begin(tree.write("a"));
    former.takeBack();
    List<Sent> sent = seat.takeSent();
    assertThat(sent).allMatch(each -> each.message() instanceof Drains.AttemptOver);
    assertThat(sent).extracting(each -> seat.seatOf(each).number()).containsExactly(1, 2);
  }

  @Test
  void whatAJobWorksAtIsLeftAlone() {
    long file = tree.write("a");
    tree.begin(file);
    tree.work(file);
    former.takeBack();
    assertThat(tree.backing().aborted()).isEmpty();
    assertThat(tree.takeProposed()).isEmpty();
  }

  @Test
  void aFailedAbortEndsNothingAndIsTriedAgainAfterAPause() {
    long file = tree.write("a");
    DrainAttempt attempt = tree.begin(file);
    BackingFailure away = new BackingFailure.Unavailable("away");
    tree.backing().fail(away);
    former.takeBack();
    assertThat(tree.troubles()).containsExactly(away);
    assertThat(tree.takeProposed()).isEmpty();
    tree.backing().fail(null);
    seat.sleep(TreeContext.RETRY_NANOS_MIN / 2 - 1);
    former.takeBack();
    assertThat(tree.backing().aborted()).isEmpty();
    seat.sleep(TreeContext.RETRY_NANOS_MIN / 2 + 1);
    former.takeBack();
    assertThat(tree.takeProposed()).containsExactly(ended(file, attempt));
  }

  @Test
  void somebodyWhoHasSettledItNeedNotWait() {
    long file = tree.write("a");
    DrainAttempt attempt = tree.begin(file);
    tree.backing().fail(new BackingFailure.NoPermission("no"));
    former.takeBack();
    tree.backing().fail(null);
    former.hurry();
    former.takeBack();
    assertThat(tree.takeProposed()).containsExactly(ended(file, attempt));
  }

  @Test
  void aStoreWithoutRoomIsNotAsked() {
    tree.begin(tree.write("a"));
    tree.backing().setRoom(0);
    former.takeBack();
    assertThat(tree.backing().aborted()).isEmpty();
    assertThat(tree.suspected()).isEmpty();
    tree.backing().setRoom(1);
    former.takeBack();
    assertThat(tree.backing().aborted()).hasSize(1);
  }
}
