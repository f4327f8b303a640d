package io.forebay.seat;

import io.forebay.base.SeatId;
import io.forebay.base.planted.PlantedBug;
import io.forebay.ring.Group;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The home's leases (P13): names are read only while every other current member has promised not to
 * enter a newer epoch; with no other member the manager promises. A lease counts from when it was
 * asked for.
 */
final class LeaseKeeper {
  /** How long a lease lasts; the design's bound. */
  static final long LEASE_NANOS = 2_000_000_000L;

  /** What a member waits longer than it promised, for clocks that run at different speeds. */
  static final long MARGIN_NANOS = 200_000_000L;

  private static final long RENEW_NANOS = 500_000_000L;

  private static final SeatId MANAGER = new SeatId(-1);

  private final Seat seat;
  private final Group group;
  private final Map<SeatId, Long> untilNanos = new TreeMap<>();
  private final Map<SeatId, Long> askedNanos = new TreeMap<>();

  LeaseKeeper(Seat seat, Group group) {
    this.seat = seat;
    this.group = group;
    for (Group.Member member : group.members()) {
      if (member.current() && !member.seat().equals(seat.id())) askedNanos.put(member.seat(), 0L);
    }
    if (askedNanos.isEmpty()) askedNanos.put(MANAGER, 0L);
    long now = seat.nanos();
    askedNanos.replaceAll((member, never) -> now - RENEW_NANOS);
  }

  /**
   * Names are read only with this member's promise too, from now on or no longer: it is about to be
   * made current, and what was promised before binds nobody then.
   */
  void alsoAsk(SeatId member, boolean also) {
    if (also) {
      askedNanos.put(member, seat.nanos() - RENEW_NANOS);
    } else {
      askedNanos.remove(member);
      untilNanos.remove(member);
    }
  }

  /** How long all leases last from now, or 0. */
  long leftNanos() {
    if (!untilNanos.keySet().containsAll(askedNanos.keySet())) return 0;
    long now = seat.nanos();
    long left = LEASE_NANOS;
    for (long until : untilNanos.values()) left = Math.min(left, until - now);
    return Math.max(0, left);
  }

  boolean held() {
    return leftNanos() > 0;
  }

  void poll() {
    long now = seat.nanos();
    for (Map.Entry<SeatId, Long> each : askedNanos.entrySet()) {
      if (now - each.getValue() < RENEW_NANOS) continue;
      each.setValue(now);
      SeatId member = each.getKey();
      Message question = new Maps.Lease(group.id(), group.epoch(), seat.id(), now);
      if (member.equals(MANAGER)) {
        seat.manager().ask(question, LEASE_NANOS, reply -> granted(member, reply));
      } else {
        seat.questions().ask(member, question, LEASE_NANOS, reply -> granted(member, reply));
      }
    }
  }

  private void granted(SeatId member, @Nullable Message reply) {
    if (!(reply instanceof Maps.LeaseGranted grant)) return;
    if (!grant.group().equals(group.id()) || grant.epoch() != group.epoch()) return;
    if (!askedNanos.containsKey(member)) return;
    boolean late = seat.planted(PlantedBug.LEASE_FROM_ARRIVAL);
    long from = late ? seat.nanos() : grant.sentNanos();
    long until = from + Math.min(grant.durationNanos(), LEASE_NANOS);
    untilNanos.merge(member, until, (a, b) -> b - a > 0 ? b : a);
  }
}
