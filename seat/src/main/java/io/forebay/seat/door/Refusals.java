// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.door;

import io.forebay.base.GroupId;
import io.forebay.seat.audit.RefusalAudit;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.Callers;
import io.forebay.seat.part.SeatCounters;
import io.forebay.wire.Connection;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;

/**
 * Refuses messages: counts them, answers if the sender expects an answer, and records those whose
 * sender lacks a right.
 */
final class Refusals {
  private final Callers callers;
  private final SeatCounters counters;
  private final RefusalAudit audit;

  Refusals(Basics basics, Callers callers) {
    this.callers = callers;
    this.counters = basics.counters();
    this.audit = new RefusalAudit(basics.events(), basics.maps()::instance);
  }

  void refuse(Connection from, long request, ErrorCode code, String detail) {
    counters.refused();
    if (request != 0) from.send(request, new Replies.Failed(code, detail));
  }

  /** The sender lacks a right. */
  void deny(Connection from, long request, Message message, ErrorCode code, String detail) {
    String shown = callers.capabilityFor(from, message);
    audit.refused(from, message, new Replies.Failed(code, detail), shown);
    refuse(from, request, code, detail);
  }

  /** The group is in a newer epoch: the sender gets the map that has it. */
  void stale(Connection from, long request, GroupId group) {
    from.send(0, callers.mapFor(from, 0));
    refuse(from, request, ErrorCode.STALE_EPOCH, group + " has a newer epoch");
  }
}
