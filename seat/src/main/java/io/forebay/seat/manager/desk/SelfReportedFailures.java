// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.wire.message.Maps;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Handles a member's own report that it could not keep what it should: the member leaves the
 * current members of its group. Another member that holds everything must have been heard from
 * after the report: a seat that has just died with its memory may not have been noticed yet, and
 * must not be relied on. {@link SilentSeats} and {@link MemberPlan} handle dead servers.
 */
public final class SelfReportedFailures {
  private record Asked(SeatId seat, long epoch, long nanos) {}

  private final DeskParts parts;
  private final ManagerState state;
  private final Timers timers;
  private final Sightings sightings;

  /** The first report for each group. */
  private final Map<GroupId, Asked> asked = new TreeMap<>();

  public SelfReportedFailures(DeskParts parts, Sightings sightings) {
    this.parts = parts;
    this.state = parts.state();
    this.timers = parts.timers();
    this.sightings = sightings;
  }

  /** A member gives up its place; it repeats this until the map says so. */
  public void failed(Maps.MemberFailed message, Caller caller) {
    Command.MemberFailed command =
        new Command.MemberFailed(
            message.group(),
            message.epoch(),
            message.seat(),
            message.incarnation(),
            unheardSince(firstAsked(message)));
    parts.decideWithoutLease(
        new DeskParts.Asked(message.group(), command, caller),
        "giving a place up: ",
        message.seat() + " gives its place in " + message.group() + " up: " + message.reason());
  }

  private long firstAsked(Maps.MemberFailed message) {
    Asked before = asked.get(message.group());
    if (before != null && before.seat.equals(message.seat()) && before.epoch == message.epoch()) {
      return before.nanos;
    }
    asked.put(message.group(), new Asked(message.seat(), message.epoch(), timers.nanos()));
    return timers.nanos();
  }

  private List<SeatId> unheardSince(long nanos) {
    long within = Math.min(ProtocolTimes.DEFAULT.manager().silentNanos(), timers.nanos() - nanos);
    return state.map().seats().stream()
        .map(SeatEntry::id)
        .filter(id -> !sightings.heardWithin(id, within))
        .toList();
  }
}
