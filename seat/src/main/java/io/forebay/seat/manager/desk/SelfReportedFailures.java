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
 * Removes members from groups that report that they could not keep what they should. Another member
 * that holds everything must have been heard from after the report: one that has just died with its
 * memory, and is not missed yet, must not be relied on.
 */
public final class FailureDesk {
  private record Asked(SeatId seat, long epoch, long nanos) {}

  private final DeskParts parts;
  private final ManagerState state;
  private final Timers timers;
  private final Sightings sightings;

  /** The first report for each group. */
  private final Map<GroupId, Asked> asked = new TreeMap<>();

  public FailureDesk(DeskParts parts, Sightings sightings) {
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
