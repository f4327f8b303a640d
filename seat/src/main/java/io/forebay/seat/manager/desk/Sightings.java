// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.wire.message.Statuses;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** When each seat of the ring was last heard from, and its map then. */
public final class Sightings {
  private static final ProtocolTimes.Manager TIMES = ProtocolTimes.DEFAULT.manager();

  private record Seen(long nanos, long ringEpoch) {}

  private final Timers timers;
  private final Map<SeatId, Seen> last = new HashMap<>();
  private long startNanos;
  private long graceNanos = TIMES.startingNanos();
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

  /** Whether this manager has led for so short a time that seats may still be looking for it. */
  boolean mayBeSought() {
    return timers.nanos() - startNanos < graceNanos;
  }

  /** Another manager has led before: the seats reported to that one. */
  public void takeOver() {
    last.clear();
    startNanos = timers.nanos();
    listeningNanos = startNanos;
    graceNanos = TIMES.takeoverNanos();
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
