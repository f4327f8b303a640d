package io.forebay.seat;

import io.forebay.base.Checksums;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.store.log.RecordHeader;
import org.jspecify.annotations.Nullable;

/** Sends records from this seat's log to the next member in a group's order, if there is one. */
final class CopySender {
  private final Seat seat;
  private final Group group;
  private final @Nullable CopyQueue queue;

  CopySender(Seat seat, Group group) {
    this.seat = seat;
    this.group = group;
    int place = group.indexOf(seat.id());
    this.queue =
        place >= 0 && place + 1 < group.members().size()
            ? seat.copiesTo(group.members().get(place + 1).seat())
            : null;
  }

  /** Whether that is the next member. */
  boolean sendsTo(SeatId peer) {
    return queue != null && queue.to().equals(peer);
  }

  /** Why writers should wait before they bring more, or null. */
  @Nullable String congestion() {
    return queue != null && queue.full() ? queue.to() + " takes no more copies at present" : null;
  }

  /** Sends the record on, straight from the log. What is lost on the way is asked for again. */
  void send(RecordHeader record, boolean forced, Checksums checksums) {
    // What waited for a seat that is away would only be too old when it is back.
    if (queue == null || seat.away(queue.to())) return;
    queue.add(new CopyQueue.Copy(group.id(), group.epoch(), record, forced, checksums));
  }
}
