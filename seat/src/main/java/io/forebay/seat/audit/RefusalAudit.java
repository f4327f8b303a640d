// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.audit;

import io.forebay.base.proof.Capability;
import io.forebay.ring.Instance;
import io.forebay.seat.audit.AuditEvent.Subject;
import io.forebay.wire.Connection;
import io.forebay.wire.message.ClaimsUser;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import io.forebay.wire.proof.PeerProof;
import io.forebay.wire.right.MessageNeeds;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Records requests that a seat refused because their sender lacks a right, and no other refusals.
 * Called by the seat's loop only.
 */
public final class RefusalAudit {
  private final AuditEvents events;
  private final IntFunction<@Nullable Instance> instances;

  /**
   * Records to these events.
   *
   * @param instances the instance of a number, or null
   */
  public RefusalAudit(AuditEvents events, IntFunction<@Nullable Instance> instances) {
    this.events = events;
    this.instances = instances;
  }

  /** Gets the answers to a request. */
  public Consumer<Message> of(Connection from, Message request) {
    return reply -> {
      if (reply instanceof Replies.Failed failed) refused(from, request, failed, null);
    };
  }

  /**
   * A request was refused.
   *
   * @param proof what its sender has shown besides what its connection proves; null for nothing
   */
  public void refused(
      Connection from, Message request, Replies.Failed reply, @Nullable String proof) {
    if (!AuditEvent.lacksRight(reply)) return;
    Identity who = request instanceof ClaimsUser claim ? claim.who() : null;
    Message what = request instanceof Names.Request names ? names.what() : request;
    AuditEvent event = AuditEvent.of(from, who, what, subject(request), reply);
    events.audited(from.peer().equals(PeerProof.NONE) ? event.by(proof) : event);
  }

  private Subject subject(Message request) {
    int number = MessageNeeds.instanceOf(request);
    if (number == Capability.CLUSTER) return Subject.NONE;
    return Subject.instance(NameAudit.nameOf(instances.apply(number), number));
  }
}
