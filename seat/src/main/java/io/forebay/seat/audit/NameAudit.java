// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.audit;

import io.forebay.ring.Instance;
import io.forebay.seat.audit.AuditEvent.Subject;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records what the home of a tree answers: the begin and end of sessions, and requests that were
 * refused because the user lacks a right. Called by the seat's loop only.
 */
public final class NameAudit {
  private final AuditEvents events;

  public NameAudit(AuditEvents events) {
    this.events = events;
  }

  /**
   * Takes the answer to a request.
   *
   * @param instance null if there is no such instance
   */
  public Consumer<Message> of(Connection from, Names.Request request, @Nullable Instance instance) {
    return reply -> answered(from, request, instance, reply);
  }

  private void answered(
      Connection from, Names.Request request, @Nullable Instance instance, Message reply) {
    String detail = sessionChange(request.what(), reply);
    if (detail == null && !AuditEvent.lacksRight(reply)) return;
    String name = instance == null ? "#" + request.instance() : instance.name();
    Subject subject = new Subject(name, detail == null ? "" : detail);
    events.audited(AuditEvent.of(from, request.who(), request.what(), subject, reply));
  }

  /** Where a session began or ended; null if none did. */
  private static @Nullable String sessionChange(Message what, Message reply) {
    if (what instanceof Names.BeginSession begin && reply instanceof Names.SessionIs) {
      return "node " + begin.node();
    }
    return what instanceof Names.EndSession && reply instanceof Replies.Done
        ? "session ended"
        : null;
  }
}
