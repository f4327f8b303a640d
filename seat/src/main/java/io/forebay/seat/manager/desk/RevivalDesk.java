// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.seat.manager.state.Command;
import io.forebay.wire.message.Maps;

/**
 * Continues groups without a current member, when an operator accepts the loss (P11). The operator
 * names the member; the manager checks that waiting cannot help.
 */
public final class RevivalDesk {
  private final DeskParts parts;

  public RevivalDesk(DeskParts parts) {
    this.parts = parts;
  }

  public void revive(Maps.Revive message, Caller caller) {
    Command.ReviveGroup command =
        new Command.ReviveGroup(
            message.group(), message.epoch(), message.seat(), message.incarnation());
    parts.decideWithoutLease(
        new DeskParts.Asked(message.group(), command, caller),
        "a revival ",
        message.group()
            + " goes on with what "
            + message.seat()
            + " has: an operator gave up what its members lost; see 'forebay lost'");
  }
}
