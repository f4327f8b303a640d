// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.Statuses;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** When each seat of the ring was last heard from, and its map then. */
public final class Sightings {
  private record Seen(long nanos, long ringEpoch) {}

  private final Timers timers;
  private final Map<SeatId, Seen> last = new HashMap<>();
  private final long startNanos;
  private long listeningNanos;

  public Sightings(Timers timers) {
    this.timers = timers;
    this.startNanos = timers.nanos();
    this.listeningNanos = startNanos;
  }

  public void seen(SeatId seat, long ringEpoch) {
    last.put(seat, new Seen(timers.nanos(), ringEpoch));
  }

  /** Whether the seat was heard from within this time. */
  boolean heardWithin(SeatId seat, long nanos) {
    Seen seen = last.get(seat);
    return seen != null && timers.nanos() - later(seen.nanos(), listeningNanos) < nanos;
  }

  /** Whether this manager has never heard from the seat. */
  boolean neverHeard(SeatId seat) {
    return !last.containsKey(seat);
  }

  /** How long this manager has been running. */
  long upNanos() {
    return timers.nanos() - startNanos;
  }

  /** No seat counts as silent before now: the manager did not listen. */
  void forgive() {
    listeningNanos = timers.nanos();
  }

  private static long later(long oneNanos, long otherNanos) {
    return oneNanos - otherNanos > 0 ? oneNanos : otherNanos;
  }

  /** Seats that were not heard from yet count as silent since this manager started. */
  public List<Statuses.SeatSeen> of(List<SeatEntry> seats) {
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
