// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.attempt;

import io.forebay.backing.Attempt;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.Capabilities;
import io.forebay.base.Timers;
import io.forebay.base.rule.Rule;
import io.forebay.namespace.GroupCommand;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.Self;
import io.forebay.seat.part.WallClock;
import io.forebay.seat.peer.Questions;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to store something in the backing store, from its first journal entry until it waits
 * for its name. The steps are the states below; each job implements them. A step with a transient
 * failure is retried. Any other failure ends the job: its attempt is then removed from the store
 * and ended in the journal. Called by the seat's loop only.
 */
abstract class AttemptJob {
  /** A job only moves forward, and may skip steps. */
  enum State {
    /** The journal is to say that an attempt begins. */
    BEGINNING,
    /** The backing store begins it. */
    OPENING,
    /** The store's handle is to be journalled. */
    NOTING,
    /** Seats write its bytes. */
    WRITING,
    /** The seats that wrote force their writes. */
    FORCING,
    /** The written bytes are read back, if the policy wants it. */
    VERIFYING,
    /** The journal is to say that it only waits for its name. */
    COMMITTING,
    /** Committed or failed: later answers change nothing. */
    OVER,
    /** Its instance is gone: it proposes nothing more. */
    ABANDONED
  }

  /** How often in a row a seat or the store may fail before the attempt is aborted. */
  private static final int TRIES_MAX = 6;

  static final long AGAIN_NANOS = 100_000_000L;

  /** How long a write, or a force of all writes, may take. */
  static final long WRITE_NANOS = 120_000_000_000L;

  static final String LOST_HOME = "the group has got another home";

  private static final String OTHER =
      "the backing store does not have the bytes that it was given; they are written again";

  final DrainedTree tree;
  final Self seat;
  final Timers timers;
  final WallClock wallClock;
  final Questions questions;
  private State state = State.BEGINNING;
  private @Nullable Attempt begun;
  private int tries;

  AttemptJob(Basics basics, Questions questions, DrainedTree tree) {
    this.seat = basics.self();
    this.timers = basics.timers();
    this.wallClock = basics.wallClock();
    this.questions = questions;
    this.tree = tree;
  }

  /** The attempt has begun in the store; nothing may be written yet. */
  abstract void opened(Attempt attempt);

  /** The journal has the attempt's handle: bytes may be written. */
  abstract void noted();

  /** The attempt as it was planned, or null if it may not be in the store. */
  abstract @Nullable Attempt planned();

  /** Makes the search for leftovers look for what the attempt may have left. */
  abstract void suspectLeftovers();

  /** The store has dropped the attempt, or failed to. */
  abstract void aborted(Attempt attempt);

  /** Journals the store's handle of the attempt. */
  abstract GroupCommand noteCommand(String handle);

  abstract GroupCommand commitCommand();

  abstract GroupCommand endCommand();

  /** The job is over, and none of its requests is pending any more. */
  abstract void ended(@Nullable BackingFailure failure, String why);

  final boolean is(State asked) {
    return state == asked;
  }

  final boolean isOver() {
    return state == State.OVER || state == State.ABANDONED;
  }

  /** Moves on; a job that is over stays over, since answers may come late. */
  final void moveTo(State next) {
    if (isOver()) return;
    if (next.compareTo(state) <= 0) {
      throw new IllegalStateException("an attempt goes from " + state + " to " + next);
    }
    state = next;
  }

  /** The attempt in the store, or null before it has begun there. */
  final @Nullable Attempt begun() {
    return begun;
  }

  /** The store has begun the attempt: its handle goes into the journal. */
  final void begun(Attempt given) {
    if (isOver() || tree.home().stopped()) {
      moveTo(State.OVER);
      discard(given);
      return;
    }
    begun = given;
    moveTo(State.NOTING);
    opened(given);
    // Before its first byte, so that a later home can take the attempt back (P21).
    tree.propose(
        noteCommand(given.handle()),
        applied -> {
          if (applied == null) end(null, LOST_HOME);
          else noted();
        });
  }

  /**
   * Removes an attempt that began too late: another home, if there is one, has ended it without
   * finding anything.
   */
  private void discard(Attempt late) {
    Backing backing = tree.backing();
    if (backing == null) return;
    if (backing.room() == 0) {
      timers.after(AGAIN_NANOS, () -> discard(late));
      return;
    }
    backing.abort(
        late,
        answer -> {
          if (answer instanceof Backing.Answer.Failed<Backing.Nothing>) {
            timers.after(AGAIN_NANOS, () -> discard(late));
          }
        });
  }

  /** A step has succeeded: what failed before it does not count any more. */
  final void succeeded() {
    tries = 0;
  }

  /** Takes a step again soon; false if it has failed too often. */
  final boolean retry(Runnable step) {
    if (++tries >= TRIES_MAX) return false;
    later(step);
    return true;
  }

  /** Takes a step soon, unless the job is over by then. */
  final void later(Runnable step) {
    timers.after(
        AGAIN_NANOS,
        () -> {
          if (!isOver()) step.run();
        });
  }

  /** Whether a seat's answer to a write or a force may be another one next time. */
  static boolean isPassing(@Nullable Message reply) {
    return !(reply instanceof Replies.Failed failed)
        || failed.code() == ErrorCode.BUSY
        || failed.code() == ErrorCode.UNAVAILABLE
        || failed.code() == ErrorCode.GONE;
  }

  /**
   * Takes the attempt back for an answer of a seat.
   *
   * @param silence what to say of no answer at all
   */
  final void takeBackFor(@Nullable Message reply, String silence) {
    BackingFailure failure = failure(reply, silence);
    takeBack(failure, failure.sentence());
  }

  private static BackingFailure failure(@Nullable Message reply, String silence) {
    if (!(reply instanceof Replies.Failed failed)) return new BackingFailure.Other(silence);
    return failed.code() == ErrorCode.REFUSED
        ? new BackingFailure.NoSpace(failed.detail())
        : new BackingFailure.Other(failed.detail());
  }

  /** Where the policy says so, written bytes are read back before the file gets its name (P23). */
  @Rule("P23")
  final boolean isReadBack(Backing backing) {
    return tree.verifies()
        && backing.capabilities().verification() == Capabilities.Verification.READ_BACK;
  }

  /**
   * Compares bytes that were read back.
   *
   * @param found the store's answer: the checksum of its bytes
   * @param wrote the checksum of the written bytes
   * @param again reads the same bytes again
   */
  final void compare(Backing.Answer<Integer> found, int wrote, Runnable whenEqual, Runnable again) {
    if (isOver()) return;
    switch (found) {
      case Backing.Answer.Done<Integer> done when done.value() == wrote -> whenEqual.run();
      case Backing.Answer.Done<Integer> done -> takeBack(new BackingFailure.Changed(OTHER), OTHER);
      case Backing.Answer.Failed<Integer> failed -> unverified(failed.failure(), again);
    }
  }

  private void unverified(BackingFailure failure, Runnable again) {
    boolean passing = failure.advice() == BackingFailure.Advice.TRY_AGAIN;
    if (failure instanceof BackingFailure.Unsupported) commit();
    else if (!passing || !retry(again)) takeBack(failure, failure.sentence());
  }

  final void commit() {
    if (isOver()) return;
    moveTo(State.COMMITTING);
    tree.propose(
        commitCommand(),
        applied -> {
          if (applied == null) end(null, LOST_HOME);
          else if (applied.reply() instanceof Replies.Done) end(null, "");
          else takeBack(null, String.valueOf(applied.reply()));
        });
  }

  /** Ends at once; returns the attempt to remove from the store, if there is one. */
  public final @Nullable Attempt abandon() {
    state = State.ABANDONED;
    return begun;
  }

  /** Removes what the attempt left in the store, and ends it in the journal. */
  final void takeBack(@Nullable BackingFailure failure, String why) {
    if (isOver()) return;
    moveTo(State.OVER);
    suspectLeftovers();
    Backing backing = tree.backing();
    Attempt gone = begun == null ? planned() : begun;
    if (gone == null || backing == null || backing.room() == 0) {
      // It stays in the journal, and is taken back like that of a former home.
      ended(failure, why);
      return;
    }
    backing.abort(
        gone,
        answer -> {
          aborted(gone);
          if (answer instanceof Backing.Answer.Failed<Backing.Nothing>) {
            ended(failure, why);
            return;
          }
          if (is(State.ABANDONED)) return;
          tree.propose(endCommand(), applied -> ended(failure, why));
        });
  }

  final void end(@Nullable BackingFailure failure, String why) {
    if (isOver()) return;
    moveTo(State.OVER);
    ended(failure, why);
  }
}
