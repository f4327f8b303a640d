// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.group;

import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.Group;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.part.Self;
import io.forebay.seat.peer.ManagerLink;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Detects current members that are alive for other seats but confirm none of the copies or journal
 * entries that the home waits for. The home then asks the manager to continue without such a member
 * (P8), which rests before it is repaired. The home waits for a member that confirms at least
 * something, or reports that it has no room.
 */
public final class SlowMembers {
  /** The maximum time for a member to confirm nothing. */
  static final long SLOW_NANOS = ProtocolTimes.DEFAULT.requests().slowNanos();

  private static final long LOOK_NANOS = 500_000_000L;
  private static final long ANSWER_NANOS = ProtocolTimes.DEFAULT.requests().answerNanos();

  /** Since when a member owes a confirmation and has given none. */
  private static final class Owing {
    long copiesNanos;
    long entriesNanos;

    Owing(long nowNanos) {
      this.copiesNanos = nowNanos;
      this.entriesNanos = nowNanos;
    }
  }

  private final Self seat;
  private final MapView maps;
  private final Timers timers;
  private final ManagerLink manager;
  private final GroupHome home;
  private final Map<SeatId, Owing> members = new TreeMap<>();
  private long lookedNanos;
  private boolean asking;

  SlowMembers(Basics basics, ManagerLink manager, GroupHome home) {
    this.seat = basics.self();
    this.maps = basics.maps();
    this.timers = basics.timers();
    this.manager = manager;
    this.home = home;
    this.lookedNanos = timers.nanos();
    for (Group.Member member : home.group().members()) {
      boolean self = member.seat().equals(seat.id());
      if (member.current() && !self) members.put(member.seat(), new Owing(lookedNanos));
    }
  }

  /** The member has answered a copy, with any answer. */
  public void copyAnswered(SeatId member) {
    Owing owing = members.get(member);
    if (owing != null) owing.copiesNanos = timers.nanos();
  }

  /** The member has answered entries of the journal. */
  public void entriesAnswered(SeatId member) {
    Owing owing = members.get(member);
    if (owing != null) owing.entriesNanos = timers.nanos();
  }

  void tick() {
    long now = timers.nanos();
    long sinceNanos = now - lookedNanos;
    if (sinceNanos < LOOK_NANOS) return;
    lookedNanos = now;
    // A home that was itself paused for a while has not listened.
    boolean listened = sinceNanos <= 2 * LOOK_NANOS;
    SeatId slow = null;
    for (Group.Member member : home.group().members()) {
      Owing owing = members.get(member.seat());
      if (owing == null) continue;
      int place = home.group().indexOf(member.seat());
      if (!listened || !home.puts().waitsFor(place)) owing.copiesNanos = now;
      if (!listened || !home.waitsFor(member.seat())) owing.entriesNanos = now;
      boolean late =
          now - owing.copiesNanos >= SLOW_NANOS || now - owing.entriesNanos >= SLOW_NANOS;
      if (late && slow == null) slow = member.seat();
    }
    if (slow != null && !asking) ask(slow);
  }

  private void ask(SeatId slow) {
    Group group = home.group();
    Group.Member member = group.members().get(group.indexOf(slow));
    asking = true;
    manager.ask(
        new Maps.MemberSlow(group.id(), group.epoch(), slow, member.incarnation()),
        ANSWER_NANOS,
        this::answered);
  }

  private void answered(@Nullable Message reply) {
    asking = false;
    // A new map comes without a request, unless it was missed.
    if (reply instanceof Replies.Failed && !home.stopped()) maps.fetchMap();
  }
}
