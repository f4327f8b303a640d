// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.Timers;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.seat.manager.state.Result;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import java.util.List;

/**
 * Lets groups go on of which no member is current, because an operator gives up what they lost
 * (P11). The operator names the member; the manager makes sure that it is in vain to wait.
 */
public final class RevivalDesk {
  private final ManagerState state;
  private final Decisions decisions;
  private final GrantedLeases leases;
  private final Timers timers;
  private final ManagerEvents events;

  public RevivalDesk(
      ManagerState state,
      Decisions decisions,
      GrantedLeases leases,
      Timers timers,
      ManagerEvents events) {
    this.state = state;
    this.decisions = decisions;
    this.leases = leases;
    this.timers = timers;
    this.events = events;
  }

  public void revive(Maps.Revive message, Caller caller) {
    Command.ReviveGroup command =
        new Command.ReviveGroup(
            message.group(), message.epoch(), message.seat(), message.incarnation());
    Result.Refused refused = state.check(command);
    if (refused != null) {
      caller.fail(refused);
      return;
    }
    // The home that lost its memory may have been alone in the group a moment ago.
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
              message.group()
                  + " goes on with what "
                  + message.seat()
                  + " has: an operator gave up what its members lost; see 'forebay lost'");
          caller.done();
        },
        why -> caller.fail(ErrorCode.UNAVAILABLE, "a revival " + why));
  }
}
