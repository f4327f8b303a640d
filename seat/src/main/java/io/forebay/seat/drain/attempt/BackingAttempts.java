// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.attempt;

import io.forebay.backing.Attempt;
import io.forebay.backing.FileAttributes;
import io.forebay.base.SeatId;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.part.MapView;
import io.forebay.seat.peer.Questions;
import io.forebay.wire.message.Drains;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Messages about attempts to seats. Called by the seat's loop only. */
public final class BackingAttempts {
  /** The time for a seat to learn that an attempt is over. */
  private static final long OVER_NANOS = 10_000_000_000L;

  private BackingAttempts() {}

  /** An attempt as sent to the writing seats. */
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
   * Tells seats that an attempt is over, so that they close it and the store frees its room. A seat
   * that misses this closes the attempt when it is idle ({@code WriterAttempts}).
   */
  static void tellOver(Questions questions, Attempt attempt, Collection<SeatId> writers) {
    Drains.AttemptOver over = new Drains.AttemptOver(told(attempt));
    for (SeatId writer : writers) questions.ask(writer, over, OVER_NANOS, reply -> {});
  }

  /** The same when the writers are unknown, such as those of a former home. */
  public static void tellAllOver(MapView maps, Questions questions, Attempt attempt) {
    RingMap map = maps.map();
    if (map == null) return;
    List<SeatId> present = new ArrayList<>();
    for (SeatEntry entry : map.seats()) if (!entry.away()) present.add(entry.id());
    tellOver(questions, attempt, present);
  }
}
