package io.forebay.seat.manager;

import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import java.util.List;

/** Takes members out of groups who say themselves that they could not keep what they should. */
final class FailureDesk {
  private final ManagerState state;
  private final Decisions decisions;
  private final Sightings sightings;
  private final GrantedLeases leases;
  private final Timers timers;
  private final ManagerEvents events;

  FailureDesk(
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
  void failed(Maps.MemberFailed message, Caller caller) {
    Command.MemberFailed command =
        new Command.MemberFailed(
            message.group(), message.epoch(), message.seat(), message.incarnation(), unheard());
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

  private List<SeatId> unheard() {
    return state.map().seats().stream()
        .map(SeatEntry::id)
        .filter(id -> !sightings.heardWithin(id, SilenceDesk.SILENT_NANOS))
        .toList();
  }
}
