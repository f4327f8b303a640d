// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.audit;

import io.forebay.base.MonotonicClock;
import io.forebay.seat.audit.AuditEvent.Subject;
import io.forebay.wire.Connection;
import io.forebay.wire.LogPace;

/**
 * Records peers that sent bytes that are no message, behind the handshake. Any peer can do so as
 * often as it likes: of each principal, one is recorded in 10 seconds, with the number of those
 * left out. Called by the loop of the seat or the manager only.
 */
public final class MalformedAudit {
  private static final String ACTION = "MalformedFrame";

  private final AuditEvents events;
  private final LogPace pace;

  public MalformedAudit(AuditEvents events, MonotonicClock clock) {
    this.events = events;
    this.pace = new LogPace(clock);
  }

  /**
   * A peer sent bytes that are no message; its connection ends.
   *
   * @param what what it sent, as in "sent ..."
   */
  public void sent(Connection from, String what) {
    String principal = AuditEvent.principal(from);
    pace.log(
        principal,
        () -> "sent " + what + "; its connection is closed",
        sentence ->
            events.audited(
                new AuditEvent(principal, null, from.remote(), ACTION, Subject.NONE, sentence)));
  }
}
