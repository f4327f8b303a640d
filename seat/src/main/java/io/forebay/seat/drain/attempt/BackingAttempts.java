// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.attempt;

import io.forebay.backing.Attempt;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.FileAttributes;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.TreeContext;
import io.forebay.seat.peer.Questions;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What attempts at one file and at several have in common. Called by the seat's loop only. */
public final class BackingAttempts {
  /** How often in a row a seat or the store may fail before the attempt is taken back. */
  static final int TRIES_MAX = 6;

  static final long AGAIN_NANOS = 100_000_000L;

  /** How long a write, or a force of all writes, may take. */
  static final long WRITE_NANOS = 120_000_000_000L;

  /** How long a seat may take to hear that an attempt is over. */
  private static final long OVER_NANOS = 10_000_000_000L;

  static final String LOST_HOME = "the group has got another home";

  private BackingAttempts() {}

  /** An attempt as those who write are told of it. */
  static Drains.AttemptIs told(Attempt attempt) {
    FileAttributes attributes = attempt.plan().attributes();
    return new Drains.AttemptIs(
        attempt.id().text(),
        attempt.plan().target().text(),
        attempt.plan().sizeBytes(),
        attributes.mode(),
        attributes.user(),
        attributes.group(),
        attributes.modifyNanos(),
        attempt.handle());
  }

  /**
   * Tells seats that an attempt is over, so that they close it and the store gets its room back. A
   * seat that does not hear it closes the attempt when it is idle ({@code WriterAttempts}).
   */
  static void tellOver(Questions questions, Attempt attempt, Collection<SeatId> writers) {
    Drains.AttemptOver over = new Drains.AttemptOver(told(attempt));
    for (SeatId writer : writers) questions.ask(writer, over, OVER_NANOS, reply -> {});
  }

  /** The same where it is not known which seats wrote, such as those of a former home. */
  public static void tellAllOver(MapView maps, Questions questions, Attempt attempt) {
    RingMap map = maps.map();
    if (map == null) return;
    List<SeatId> present = new ArrayList<>();
    for (SeatEntry entry : map.seats()) if (!entry.away()) present.add(entry.id());
    tellOver(questions, attempt, present);
  }

  /** Whether it may go better the next time. */
  static boolean isPassing(@Nullable Message reply) {
    return !(reply instanceof Replies.Failed failed)
        || failed.code() == ErrorCode.BUSY
        || failed.code() == ErrorCode.UNAVAILABLE
        || failed.code() == ErrorCode.GONE;
  }

  /**
   * What an answer that is not the one hoped for means.
   *
   * @param silence what to say of no answer at all
   */
  static BackingFailure failure(@Nullable Message reply, String silence) {
    if (!(reply instanceof Replies.Failed failed)) return new BackingFailure.Other(silence);
    return failed.code() == ErrorCode.REFUSED
        ? new BackingFailure.NoSpace(failed.detail())
        : new BackingFailure.Other(failed.detail());
  }

  /**
   * Removes an attempt that began too late: another home, if there is one, has ended it without
   * finding anything.
   */
  static void discard(Timers timers, TreeContext tree, Attempt late) {
    Backing backing = tree.backing();
    if (backing == null) return;
    if (backing.room() == 0) {
      discardLater(timers, tree, late);
      return;
    }
    backing.abort(
        late,
        answer -> {
          if (answer instanceof Backing.Answer.Failed<Backing.Nothing>)
            discardLater(timers, tree, late);
        });
  }

  private static void discardLater(Timers timers, TreeContext tree, Attempt late) {
    timers.after(AGAIN_NANOS, () -> discard(timers, tree, late));
  }
}
