package io.forebay.seat;

import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.Loads.Strain;
import java.util.TreeSet;

/**
 * While this seat has no room for what clients write, tells the homes of trees that are drained, so
 * that they give up what the backing store has.
 */
final class RoomCall {
  private static final long PAUSE_NANOS = 500_000_000L;
  private static final long ANSWER_NANOS = 2_000_000_000L;

  /** So much is asked for at a time, in segments of the log: freeing takes a while. */
  private static final int SEGMENTS_WANTED = 8;

  private final Seat seat;
  private long calledNanos;

  RoomCall(Seat seat) {
    this.seat = seat;
    this.calledNanos = seat.nanos() - PAUSE_NANOS;
  }

  void tick() {
    RingMap map = seat.map();
    if (map == null || seat.nanos() - calledNanos < PAUSE_NANOS) return;
    boolean full =
        !seat.intake().pressure().isEmpty() || seat.overload().own().strain() == Strain.FULL;
    if (!full) return;
    calledNanos = seat.nanos();
    call(map, (long) SEGMENTS_WANTED * seat.store().config().segmentBytes());
  }

  void call(RingMap map, long bytes) {
    TreeSet<Integer> copies = new TreeSet<>();
    for (Instance instance : map.instances()) {
      if (!instance.destroyed() && !instance.drain().isNone()) copies.add(instance.copies());
    }
    for (Group group : map.groups()) {
      if (!copies.contains(group.id().copies())) continue;
      seat.questions()
          .askHome(
              group.id(),
              known -> new Drains.WantRoom(known.id(), known.epoch(), bytes),
              ANSWER_NANOS,
              reply -> {});
    }
  }
}
