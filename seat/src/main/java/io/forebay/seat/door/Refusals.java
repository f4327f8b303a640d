// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.door;

import io.forebay.base.GroupId;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.Callers;
import io.forebay.seat.part.SeatCounters;
import io.forebay.wire.Connection;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Replies;

/** Refuses messages: counts them, and answers if the sender expects an answer. */
final class Refusals {
  private final Callers callers;
  private final SeatCounters counters;

  Refusals(Basics basics, Callers callers) {
    this.callers = callers;
    this.counters = basics.counters();
  }

  void refuse(Connection from, long request, ErrorCode code, String detail) {
    counters.refused();
    if (request != 0) from.send(request, new Replies.Failed(code, detail));
  }

  /** The group is in a newer epoch: the sender gets the map that has it. */
  void stale(Connection from, long request, GroupId group) {
    from.send(0, callers.mapFor(from, 0));
    refuse(from, request, ErrorCode.STALE_EPOCH, group + " has a newer epoch");
  }
}
