// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long slow members rest: longer each time, so that a group does not wait for the same one
 * again and again.
 */
final class SlowMemberBackoff {
  static final long FIRST_NANOS = 5_000_000_000L;

  /** The maximum, so that all copies exist again within a minute. */
  static final long LONGEST_NANOS = 40_000_000_000L;

  /** A member that was fast enough for this long starts over. */
  static final long FORGIVEN_NANOS = 600_000_000_000L;

  private record Rest(long beganNanos, long lengthNanos) {
    long endNanos() {
      return beganNanos + lengthNanos;
    }
  }

  private final Timers timers;

  /** At most one for each member of a group. */
  private final Map<GroupId, Map<SeatId, Rest>> rests = new TreeMap<>();

  SlowMemberBackoff(Timers timers) {
    this.timers = timers;
  }

  /** A member was too slow; says how long it rests. */
  long begin(GroupId group, SeatId seat) {
    Map<SeatId, Rest> ofGroup = rests.computeIfAbsent(group, each -> new TreeMap<>());
    Rest before = ofGroup.get(seat);
    long now = timers.nanos();
    long length = FIRST_NANOS;
    if (before != null && now - before.endNanos() < FORGIVEN_NANOS) {
      length = Math.min(LONGEST_NANOS, 2 * before.lengthNanos);
    }
    ofGroup.put(seat, new Rest(now, length));
    return length;
  }

  /** Whether it has rested; one of which a manager before this one knew begins now. */
  boolean over(GroupId group, SeatId seat) {
    Map<SeatId, Rest> ofGroup = rests.get(group);
    Rest rest = ofGroup == null ? null : ofGroup.get(seat);
    if (rest == null) {
      begin(group, seat);
      return false;
    }
    return timers.nanos() - rest.endNanos() >= 0;
  }
}
