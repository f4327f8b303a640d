// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.attempt;

import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.forebay.backing.Attempt;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.Capabilities;
import io.forebay.backing.FileAttributes;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.seat.TestSeat;
import io.forebay.seat.drain.TestTree;
import io.forebay.seat.drain.attempt.AttemptJob.State;
import io.forebay.seat.manager.state.SmallRing;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AttemptJobTest {
  private static final BackingFailure AWAY = new BackingFailure.Unavailable("away");

  private final TestSeat seat =
      new TestSeat()
          .follow(SmallRing.of(1).group(1, 1, current(1)).instance(TestTree.INSTANCE, false).map());
  private final TestTree tree = new TestTree(seat);
  private final long file = tree.write("a");
  private final DrainAttempt attempt = tree.begin(file);
  private final Attempt begun = tree.attempt(file, attempt, FileAttributes.NONE);
  private final List<String> steps = new ArrayList<>();
  private final Job job = new Job();

  /** Writes down its steps. */
  private final class Job extends AttemptJob {
    Job() {
      super(
          AttemptJobTest.this.seat.basics(),
          AttemptJobTest.this.seat.questions(),
          AttemptJobTest.this.tree);
      moveTo(State.OPENING);
    }

    @Override
    void opened(Attempt opened) {
      steps.add("opened");
    }

    @Override
    void noted() {
      steps.add("noted");
      moveTo(State.WRITING);
    }

    @Override
    Attempt planned() {
      return begun;
    }

    @Override
    void suspectLeftovers() {
      steps.add("suspected");
    }

    @Override
    void aborted(Attempt gone) {
      steps.add("aborted");
    }

    @Override
    GroupCommand noteCommand(String handle) {
      return new GroupCommand.NoteHandle(TestTree.INSTANCE, 0, file, attempt.number(), handle);
    }

    @Override
    GroupCommand commitCommand() {
      return new GroupCommand.CommitDrain(TestTree.INSTANCE, 0, file, attempt.number());
    }

    @Override
    GroupCommand endCommand() {
      return new GroupCommand.EndDrain(TestTree.INSTANCE, 0, file, attempt.number());
    }

    @Override
    void ended(@Nullable BackingFailure failure, String why) {
      steps.add("ended" + (why.isEmpty() ? "" : ": " + why));
    }
  }

  @Test
  void theJournalHasTheHandleBeforeAnythingIsWritten() {
    job.begun(begun);
    assertThat(steps).containsExactly("opened", "noted");
    assertThat(tree.takeProposed()).containsExactly(job.noteCommand(begun.handle()));
    job.commit();
    assertThat(steps).endsWith("ended");
    assertThat(job.isOver()).isTrue();
  }

  @Test
  void whatFailsIsAbortedAndThenEndedInTheJournal() {
    job.takeBack(AWAY, "no reason");
    assertThat(tree.backing().aborted()).containsExactly(begun.id().text());
    assertThat(tree.takeProposed()).containsExactly(job.endCommand());
    assertThat(steps).containsExactly("suspected", "aborted", "ended: no reason");
    job.takeBack(AWAY, "again");
    assertThat(steps).hasSize(3);
  }

  @Test
  void anAbortThatFailsLeavesTheAttemptInTheJournal() {
    tree.backing().fail(AWAY);
    job.takeBack(AWAY, "no reason");
    assertThat(tree.takeProposed()).isEmpty();
    assertThat(steps).endsWith("ended: no reason");
  }

  @Test
  void aStoreWithoutRoomIsNotAskedToAbort() {
    tree.backing().setRoom(0);
    job.takeBack(AWAY, "no reason");
    assertThat(tree.takeProposed()).isEmpty();
    assertThat(steps).containsExactly("suspected", "ended: no reason");
  }

  @Test
  void aJobOnlyMovesForward() {
    job.begun(begun);
    assertThatIllegalStateException()
        .isThrownBy(() -> job.moveTo(State.OPENING))
        .withMessageContaining("WRITING")
        .withMessageContaining("OPENING");
  }

  @Test
  void anAbandonedJobStaysOverWhateverIsAnsweredLate() {
    assertThat(job.abandon()).isNull();
    job.begun(begun);
    assertThat(job.isOver()).isTrue();
    // It began too late, so that the job removes it by itself.
    assertThat(tree.backing().aborted()).containsExactly(begun.id().text());
    job.end(null, "late");
    job.compare(new Backing.Answer.Done<>(1), 1, () -> steps.add("equal"), () -> {});
    assertThat(steps).isEmpty();
  }

  @Test
  void anAbandonedJobProposesNothingWhenItsRetryIsDue() {
    job.begun(begun);
    tree.takeProposed();
    job.compare(new Backing.Answer.Failed<>(AWAY), 1, () -> {}, job::commit);
    job.abandon();
    seat.advance(AttemptJob.AGAIN_NANOS);
    job.commit();
    assertThat(tree.takeProposed()).isEmpty();
    assertThat(steps).containsExactly("opened", "noted");
  }

  @Test
  void aStepThatFailsTooOftenIsNotRetried() {
    int retries = 0;
    while (job.retry(() -> steps.add("again"))) retries++;
    assertThat(retries).isEqualTo(5);
    job.succeeded();
    assertThat(job.retry(() -> {})).isTrue();
    seat.advance(AttemptJob.AGAIN_NANOS);
    assertThat(steps).hasSize(retries);
  }

  @Test
  void bytesAreReadBackOnlyWhereThePolicyWantsItAndTheStoreHasNotVerifiedThem() {
    tree.backing().declare(can(Capabilities.Verification.READ_BACK));
    assertThat(job.isReadBack(tree.backing())).as("the policy does not want it").isFalse();
    tree.verify();
    assertThat(job.isReadBack(tree.backing())).isTrue();
    tree.backing().declare(can(Capabilities.Verification.ON_WRITE));
    assertThat(job.isReadBack(tree.backing())).as("the store verifies each write").isFalse();
    tree.backing().declare(can(Capabilities.Verification.NONE));
    assertThat(job.isReadBack(tree.backing())).as("the store keeps nothing").isFalse();
  }

  private static Capabilities can(Capabilities.Verification verification) {
    return new Capabilities(
        true, true, 1, 1 << 30, 1000, true, true, true, true, true, 1, verification);
  }

  @Test
  void bytesThatDifferAreTakenBack() {
    job.begun(begun);
    job.compare(new Backing.Answer.Done<>(1), 1, () -> steps.add("equal"), () -> {});
    assertThat(steps).endsWith("equal");
    job.compare(new Backing.Answer.Done<>(2), 1, () -> steps.add("equal"), () -> {});
    assertThat(steps.getLast()).startsWith("ended: the backing store does not have the bytes");
  }

  @Test
  void bytesThatCannotBeReadBackNowAreReadAgain() {
    job.begun(begun);
    job.compare(new Backing.Answer.Failed<>(AWAY), 1, () -> {}, () -> steps.add("again"));
    seat.advance(AttemptJob.AGAIN_NANOS);
    assertThat(steps).endsWith("again");
    assertThat(job.isOver()).isFalse();
  }
}
