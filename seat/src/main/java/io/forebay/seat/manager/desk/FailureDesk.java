// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.seat.manager.state.Result;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Takes members out of groups who say themselves that they could not keep what they should. Another
 * that holds everything must have been heard of since they said so: one that has just died with its
 * memory, and is not missed yet, must not be counted on.
 */
public final class FailureDesk {
  private record Asked(SeatId seat, long epoch, long nanos) {}

  private final ManagerState state;
  private final Decisions decisions;
  private final Sightings sightings;
  private final GrantedLeases leases;
  private final Timers timers;
  private final ManagerEvents events;

  /** Who asked first, for each group. */
  private final Map<GroupId, Asked> asked = new TreeMap<>();

  public FailureDesk(
      ManagerState state,
      Decisions decisions,
      Sightings sightings,
      GrantedLeases leases,
      Timers timers,
      ManagerEvents events) {
    this.state = state;
    this.decisions = decisions;
    this.sightings = sightings;
    this.leases = leases;
    this.timers = timers;
    this.events = events;
  }

  /** A member gives its place up; it asks again until the map says so. */
  public void failed(Maps.MemberFailed message, Caller caller) {
    Command.MemberFailed command =
        new Command.MemberFailed(
            message.group(),
            message.epoch(),
            message.seat(),
            message.incarnation(),
            unheardSince(firstAsked(message)));
    Result.Refused refused = state.check(command);
    if (refused != null) {
      caller.fail(refused);
      return;
    }
    // Its home may have been alone in the group a moment ago.
    if (leases.remainingNanos(List.of(message.group()), timers.nanos()) > 0) {
      caller.fail(ErrorCode.UNAVAILABLE, "a lease on " + message.group() + " has not run out yet");
      return;
    }
    decisions.propose(
        command,
        result -> {
          if (result instanceof Result.Refused late) {
            caller.fail(late);
            return;
          }
          events.warned(
              message.seat()
                  + " gives its place in "
                  + message.group()
                  + " up: "
                  + message.reason());
          caller.done();
        },
        why -> caller.fail(ErrorCode.UNAVAILABLE, "giving a place up: " + why));
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
    long within = Math.min(SilentSeats.SILENT_NANOS, timers.nanos() - nanos);
    return state.map().seats().stream()
        .map(SeatEntry::id)
        .filter(id -> !sightings.heardWithin(id, within))
        .toList();
  }
}
