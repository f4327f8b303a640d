// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.GroupId;
import io.forebay.base.Timers;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.seat.manager.state.Result;
import io.forebay.wire.message.ErrorCode;
import java.util.List;

/**
 * The shared parts of a manager's desks.
 *
 * @param state the agreed state
 * @param decisions proposes changes of it
 * @param leases the leases of the manager
 * @param events events for operators
 */
public record DeskParts(
    ManagerState state,
    Decisions decisions,
    GrantedLeases leases,
    Timers timers,
    ManagerEvents events) {
  /** A change of one group that a caller asked for. */
  record Asked(GroupId group, Command.OfMembers command, Caller caller) {}

  /**
   * Decides a change of a group, unless it is refused, or the manager has granted a lease on the
   * group: its home may have been alone in it a moment ago.
   *
   * @param what the change, as the beginning of a sentence for a refusal
   * @param sentence the sentence for operators once it is decided
   */
  void decideWithoutLease(Asked asked, String what, String sentence) {
    Caller caller = asked.caller();
    Result.Refused refused = state.check(asked.command());
    if (refused != null) {
      caller.fail(refused);
      return;
    }
    if (leases.remainingNanos(List.of(asked.group()), timers.nanos()) > 0) {
      caller.fail(ErrorCode.UNAVAILABLE, "a lease on " + asked.group() + " has not run out yet");
      return;
    }
    decisions.propose(
        asked.command(),
        result -> {
          if (result instanceof Result.Refused late) {
            caller.fail(late);
            return;
          }
          events.warned(sentence);
          caller.done();
        },
        why -> caller.fail(ErrorCode.UNAVAILABLE, what + why));
  }
}
