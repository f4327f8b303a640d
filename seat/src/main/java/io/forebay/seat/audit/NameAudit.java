// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.audit;

import io.forebay.namespace.GroupState.SessionKey;
import io.forebay.ring.Instance;
import io.forebay.seat.audit.AuditEvent.Subject;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import io.forebay.wire.proof.PeerProof;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records what the home of a tree answers: the begin and end of sessions, and requests that were
 * refused because the user lacks a right. Records sessions that expire, too. Called by the seat's
 * loop only.
 */
public final class NameAudit {
  private final AuditEvents events;

  /** The users of living sessions, as far as they were heard; looked up only, never walked. */
  private final Map<SessionKey, Integer> users = new HashMap<>();

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
    Subject subject =
        new Subject(nameOf(instance, request.instance()), detail == null ? "" : detail);
    AuditEvent event = AuditEvent.of(from, request.who(), request.what(), subject, reply);
    events.audited(event.by(capability(from, request)));
  }

  /** What a connection that proves nothing has shown: the door lets no others in. */
  private static @Nullable String capability(Connection from, Names.Request request) {
    return from.peer().equals(PeerProof.NONE)
        ? "capability of user " + Integer.toUnsignedString(request.who().user())
        : null;
  }

  static String nameOf(@Nullable Instance instance, int number) {
    return instance == null ? "#" + number : instance.name();
  }

  /** A session lives, and belongs to that user. */
  public void heard(SessionKey key, Identity who) {
    users.putIfAbsent(key, who.user());
  }

  /**
   * A session is about to expire; tell what this returns whether it has.
   *
   * @param instance null if there is no such instance
   */
  public Consumer<Boolean> expiring(SessionKey key, @Nullable Instance instance, String node) {
    Subject subject =
        new Subject(
            nameOf(instance, key.instance()),
            "session %s, node %s".formatted(Long.toHexString(key.session()), node));
    AuditEvent event = AuditEvent.own("SessionExpired", users.get(key), subject);
    return expired -> {
      if (expired) events.audited(event);
    };
  }

  /** A session has ended, in whatever way. */
  public void ended(SessionKey key) {
    users.remove(key);
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
