package io.forebay.seat.manager;

import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.Statuses;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** When each seat of the ring was last heard of, and which map it had then. */
final class Sightings {
  private record Seen(long nanos, long ringEpoch) {}

  private final Timers timers;
  private final Map<SeatId, Seen> last = new HashMap<>();
  private long startNanos;

  Sightings(Timers timers) {
    this.timers = timers;
    this.startNanos = timers.nanos();
  }

  void seen(SeatId seat, long ringEpoch) {
    last.put(seat, new Seen(timers.nanos(), ringEpoch));
  }

  /** How long the seat has been silent, as far as this manager can tell. */
  long silentNanos(SeatId seat) {
    Seen seen = last.get(seat);
    long sinceNanos = startNanos;
    if (seen != null && seen.nanos() - sinceNanos > 0) sinceNanos = seen.nanos();
    return timers.nanos() - sinceNanos;
  }

  /** Nobody has been silent before now: the manager did not listen. */
  void forgive() {
    startNanos = timers.nanos();
  }

  /** Those not heard of yet have been silent since this manager started. */
  List<Statuses.SeatSeen> of(List<SeatEntry> seats) {
    long nowNanos = timers.nanos();
    return seats.stream()
        .map(
            seat -> {
              Seen seen = last.getOrDefault(seat.id(), new Seen(startNanos, 0));
              return new Statuses.SeatSeen(seat.id(), nowNanos - seen.nanos(), seen.ringEpoch());
            })
        .toList();
  }
}
