// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.lease;

import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.base.rule.Rule;
import io.forebay.ring.Group;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.part.Self;
import io.forebay.seat.peer.ManagerLink;
import io.forebay.seat.peer.Questions;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The home's leases (P13): names are read only while every other current member has promised not to
 * enter a newer epoch; without another member the manager promises. A lease counts from its
 * request.
 */
public final class LeaseKeeper {
  private static final ProtocolTimes.Lease TIMES = ProtocolTimes.DEFAULT.lease();

  private final Self seat;
  private final Timers timers;
  private final Questions questions;
  private final ManagerLink manager;
  private final Group group;
  private final Map<SeatId, Long> untilNanos = new TreeMap<>();
  private final Map<SeatId, Long> askedNanos = new TreeMap<>();

  public LeaseKeeper(Basics basics, Questions questions, ManagerLink manager, Group group) {
    this.seat = basics.self();
    this.timers = basics.timers();
    this.questions = questions;
    this.manager = manager;
    this.group = group;
    for (Group.Member member : group.members()) {
      if (member.current() && !member.seat().equals(seat.id())) askedNanos.put(member.seat(), 0L);
    }
    if (askedNanos.isEmpty()) askedNanos.put(Maps.MANAGER, 0L);
    long now = timers.nanos();
    askedNanos.replaceAll((member, never) -> now - TIMES.renewNanos());
  }

  /**
   * Adds or removes a member whose promise is also required to read names: it is about to be made
   * current, and then earlier promises do not bind it.
   */
  public void alsoAsk(SeatId member, boolean also) {
    if (also) {
      askedNanos.put(member, timers.nanos() - TIMES.renewNanos());
    } else {
      askedNanos.remove(member);
      untilNanos.remove(member);
    }
  }

  /** How long all leases last from now, or 0. */
  public long leftNanos() {
    if (!untilNanos.keySet().containsAll(askedNanos.keySet())) return 0;
    long now = timers.nanos();
    long left = TIMES.lengthNanos();
    for (long until : untilNanos.values()) left = Math.min(left, until - now);
    return Math.max(0, left);
  }

  public boolean held() {
    return leftNanos() > 0;
  }

  public void poll() {
    long now = timers.nanos();
    for (Map.Entry<SeatId, Long> each : askedNanos.entrySet()) {
      if (now - each.getValue() < TIMES.renewNanos()) continue;
      each.setValue(now);
      SeatId member = each.getKey();
      Message question = new Maps.Lease(group.id(), group.epoch(), seat.id(), now);
      if (member.equals(Maps.MANAGER)) {
        manager.ask(question, TIMES.lengthNanos(), reply -> granted(member, reply));
      } else {
        questions.ask(member, question, TIMES.lengthNanos(), reply -> granted(member, reply));
      }
    }
  }

  private void granted(SeatId member, @Nullable Message reply) {
    if (!(reply instanceof Maps.LeaseGranted grant)) return;
    if (!grant.group().equals(group.id()) || grant.epoch() != group.epoch()) return;
    if (!askedNanos.containsKey(member)) return;
    long until = leasedFromNanos(grant) + Math.min(grant.durationNanos(), TIMES.lengthNanos());
    untilNanos.merge(member, until, (a, b) -> b - a > 0 ? b : a);
  }

  /** A lease counts from its request, since the member counts from the later grant (P13). */
  @Rule("P13")
  private long leasedFromNanos(Maps.LeaseGranted grant) {
    return grant.sentNanos();
  }
}
