// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.audit;

import io.forebay.seat.audit.AuditEvent.Subject;
import io.forebay.wire.Connection;
import io.forebay.wire.message.ClaimsUser;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.function.Consumer;

/**
 * Records requests that a seat refused because their sender lacks a right, and no other refusals.
 * Called by the seat's loop only.
 */
public final class RefusalAudit {
  private final AuditEvents events;

  public RefusalAudit(AuditEvents events) {
    this.events = events;
  }

  /** Gets the answers to a request. */
  public Consumer<Message> of(Connection from, Message request) {
    return reply -> {
      if (reply instanceof Replies.Failed failed) refused(from, request, failed);
    };
  }

  /** A request was refused. */
  public void refused(Connection from, Message request, Replies.Failed reply) {
    if (!AuditEvent.lacksRight(reply)) return;
    Identity who = request instanceof ClaimsUser claim ? claim.who() : null;
    events.audited(AuditEvent.of(from, who, request, Subject.NONE, reply));
  }
}
