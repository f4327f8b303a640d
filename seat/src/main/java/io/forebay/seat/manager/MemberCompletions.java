// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import io.forebay.seat.manager.desk.Caller;
import io.forebay.seat.manager.desk.DeskParts;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.Result;
import io.forebay.wire.Connection;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import java.util.function.Consumer;

/** Makes members current again that their homes have brought up to date. */
final class MemberCompletions {
  private final DeskParts parts;
  private final Consumer<Connection> sendMap;

  /**
   * Decides with these parts.
   *
   * @param sendMap sends the newest map to a home that has an old one
   */
  MemberCompletions(DeskParts parts, Consumer<Connection> sendMap) {
    this.parts = parts;
    this.sendMap = sendMap;
  }

  void complete(Maps.MemberComplete complete, Caller caller) {
    Command.MakeCurrent command =
        new Command.MakeCurrent(
            complete.group(), complete.epoch(), complete.seat(), complete.incarnation());
    Result.Refused refused = parts.state().check(command);
    if (refused != null) {
      caller.fail(refused);
      sendMap.accept(caller.connection());
      return;
    }
    parts
        .decisions()
        .propose(
            command,
            result -> {
              if (result instanceof Result.Refused late) {
                caller.fail(late);
                return;
              }
              parts.events().told(complete.seat() + " holds all of " + complete.group() + " again");
              caller.done();
            },
            why -> caller.fail(ErrorCode.UNAVAILABLE, "a member's completion " + why));
  }
}
