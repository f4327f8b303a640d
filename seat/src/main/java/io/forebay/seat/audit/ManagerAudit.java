// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.audit;

import io.forebay.seat.audit.AuditEvent.Subject;
import io.forebay.wire.Connection;
import io.forebay.wire.message.ClaimsUser;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Jobs;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records what a manager answers: all changes of instances, pools, jobs and servers that it decided
 * on, and every other request that was refused because its sender lacks a right. Called by the
 * manager's loop only.
 */
public final class ManagerAudit {
  private final AuditEvents events;

  public ManagerAudit(AuditEvents events) {
    this.events = events;
  }

  /** Gets the answers to a request. */
  public Consumer<Message> of(Connection from, Message request) {
    return reply -> answered(from, request, reply);
  }

  private void answered(Connection from, Message request, Message reply) {
    Subject subject = subject(request);
    boolean decided = subject != null && !AuditEvent.isUndecided(reply);
    if (!decided && !AuditEvent.lacksRight(reply)) return;
    Subject shown = subject == null ? Subject.NONE : subject;
    events.audited(AuditEvent.of(from, who(request), request, shown, reply));
  }

  /** What an audited change is about; null for other messages. */
  private static @Nullable Subject subject(Message request) {
    return switch (request) {
      case Maps.CreateInstance create -> Subject.instance(create.name());
      case Maps.DestroyInstance destroy -> Subject.instance(destroy.name());
      case Maps.DiscardInstance discard -> Subject.instance(discard.name());
      case Maps.ResizeInstance resize -> Subject.instance(resize.name());
      case Maps.ProtectInstance protect -> Subject.instance(protect.name());
      case Maps.SetPool set -> Subject.other("pool " + set.name());
      case Maps.Leave leave -> Subject.other("server " + leave.server());
      case Maps.Revive revive -> Subject.other(revive.group() + ", " + revive.seat());
      case Jobs.BeginJob begin -> Subject.other("job " + begin.token());
      case Jobs.SetNodes set -> Subject.other("job " + set.token());
      case Jobs.EndJob end -> Subject.other("job " + end.token());
      default -> null;
    };
  }

  private static @Nullable Identity who(Message request) {
    return request instanceof ClaimsUser claim ? claim.who() : null;
  }
}
