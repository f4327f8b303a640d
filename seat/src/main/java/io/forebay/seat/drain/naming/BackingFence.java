// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.naming;

import io.forebay.namespace.tree.backed.BackingCall;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a change of a backing store that cannot be made twice may be sent, and when it
 * counts as made (P24). A rename or a deletion that is carried out late hits the file that has the
 * name at that time, so no other call of the change may be in flight when later changes are made:
 *
 * <ol>
 *   <li>Before its first call the home journals that its process is about to send some. A change
 *       without such an entry was never sent.
 *   <li>A home that finds calls of another process sends none until it has waited long enough for
 *       those. It journals how long it has waited, so that the next home continues from there and
 *       repeated takeovers do not restart the wait.
 *   <li>Then it journals its own process as the sender.
 *   <li>A home in the process that sent them, such as after a change of the group's members, knows
 *       which of its calls are answered ({@link Sent}) and waits for the others only.
 *   <li>If the answer leaves open whether the call is carried out later, the change counts as made
 *       when that is impossible.
 * </ol>
 *
 * <p>Called by its seat's loop only.
 */
public final class BackingFence {
  /**
   * The maximum time after which a store still carries out a call, regardless of its answer and of
   * the life of the sending process.
   */
  public static final long LATE_NANOS_MAX = 30_000_000_000L;

  /** How long a home waits before it journals its wait: the part that is lost if it dies. */
  static final long NOTE_NANOS = 1_000_000_000L;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** The decision about a change. */
  sealed interface Verdict {
    /** Send it. */
    record Send() implements Verdict {}

    /** Ask later. */
    record Wait() implements Verdict {}

    /** Journal this, then ask again. */
    record Note(BackingCall call) implements Verdict {}
  }

  private static final Verdict SEND = new Verdict.Send();
  private static final Verdict WAIT = new Verdict.Wait();

  /** The calls of this process for one tree's changes. Outlives the home that sent them. */
  static final class Sent {
    private long change;
    private int unanswered;
    private long uncertainUntilNanos;

    private boolean isAwaited(long number) {
      return change == number && unanswered > 0;
    }
  }

  private final Sent sent;
  private final long process;
  private final LongSupplier clock;

  /** The change for which calls of another process are waited for; 0 for none. */
  private long awaited;

  private long awaitedSinceNanos;
  private long awaitedBeforeNanos;

  /**
   * A fence of one home.
   *
   * @param sent what its process has sent, as this home or as an earlier one
   * @param process drawn when the process started
   */
  BackingFence(Sent sent, long process, LongSupplier clock) {
    this.sent = sent;
    this.process = process;
    this.clock = clock;
  }

  /**
   * The decision about the next change.
   *
   * @param known the journal's state of its calls; null for none
   */
  Verdict before(long change, @Nullable BackingCall known) {
    if (known == null) return new Verdict.Note(new BackingCall(change, process, 0)); // 1
    if (known.process() == process) return sent.isAwaited(change) ? WAIT : SEND; // 4
    long now = clock.getAsLong();
    if (awaited != change) {
      awaited = change;
      awaitedSinceNanos = now;
      awaitedBeforeNanos = known.waitedNanos();
    }
    long waitedNanos = awaitedBeforeNanos + now - awaitedSinceNanos;
    if (waitedNanos >= LATE_NANOS_MAX) return new Verdict.Note(new BackingCall(change, process, 0));
    if (waitedNanos - known.waitedNanos() < NOTE_NANOS) return WAIT;
    return new Verdict.Note(new BackingCall(change, known.process(), waitedNanos)); // 2
  }

  /** A call of the change is sent. */
  void sends(long change) {
    awaited = 0;
    if (sent.change != change) {
      sent.change = change;
      sent.unanswered = 0;
      sent.uncertainUntilNanos = clock.getAsLong();
    }
    sent.unanswered++;
  }

  /**
   * A call was answered.
   *
   * @param certain whether it is not carried out any more
   */
  void answered(long change, boolean certain) {
    if (sent.change != change || sent.unanswered == 0) return;
    sent.unanswered--;
    if (!certain) sent.uncertainUntilNanos = clock.getAsLong() + LATE_NANOS_MAX;
  }

  /** How long until a change that was made counts as made; not above 0 for now. */
  long uncertainNanos(long change) {
    return sent.change == change ? sent.uncertainUntilNanos - clock.getAsLong() : 0;
  }

  /** How long the next change waits for late calls; not above 0 if it does not. */
  long waitNanos(@Nullable BackingCall known) {
    if (known == null) return 0;
    boolean foreign = known.process() != process && awaited == known.change();
    return foreign
        ? LATE_NANOS_MAX - awaitedBeforeNanos - (clock.getAsLong() - awaitedSinceNanos)
        : uncertainNanos(known.change());
  }

  /**
   * Until when, and for what, the next change waits, as a sentence; empty if it does not.
   *
   * @param wallNanos the time now
   */
  String waitsFor(@Nullable BackingCall known, long wallNanos) {
    long nanos = waitNanos(known);
    if (known == null || nanos <= 0) return "";
    long untilSecond = (wallNanos + nanos + NANOS_PER_SECOND - 1) / NANOS_PER_SECOND;
    return "names in the backing store wait until %s: a rename or deletion that %s may still be carried out"
        .formatted(
            Instant.ofEpochSecond(untilSecond),
            known.process() == process
                ? "the store did not answer"
                : "a server sent before another took over");
  }
}
