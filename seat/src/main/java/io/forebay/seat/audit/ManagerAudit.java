// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.audit;

import io.forebay.base.Bytes;
import io.forebay.seat.audit.AuditEvent.Subject;
import io.forebay.wire.Connection;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.ClaimsUser;
import io.forebay.wire.message.Enrolment;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Jobs;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records what a manager answers: all changes of instances, pools, jobs, servers, tokens and
 * certificates that it decided on, users proved by credentials, and every other request that was
 * refused because its sender lacks a right. Called by the manager's loop only.
 */
public final class ManagerAudit {
  private final AuditEvents events;
  private final Function<Connection, @Nullable String> credentials;

  /**
   * Records nothing yet.
   *
   * @param credentials what a connection has proved by a credential; null for nothing
   */
  public ManagerAudit(AuditEvents events, Function<Connection, @Nullable String> credentials) {
    this.events = events;
    this.credentials = credentials;
  }

  /** Gets the answers to a request, each with a note on what it is about, which may be empty. */
  public BiConsumer<Message, String> of(Connection from, Message request) {
    return (reply, note) -> answered(from, request, reply, note);
  }

  private void answered(Connection from, Message request, Message reply, String note) {
    Subject subject = subject(from, request);
    // A proof that cannot be checked is worth a line, too.
    boolean decided = request instanceof Access.Prove || !AuditEvent.isUndecided(reply);
    if ((subject == null || !decided) && !AuditEvent.lacksRight(reply)) return;
    Subject shown = (subject == null ? Subject.NONE : subject).and(note);
    AuditEvent event = AuditEvent.of(from, who(request), request, shown, reply);
    events.audited(event.by(credentials.apply(from)));
  }

  /**
   * A token has expired before all its uses were taken.
   *
   * @param name the only name for which it was good; empty for any
   */
  public void tokenExpired(Bytes secretHash, Role role, String name, int usesLeft) {
    Subject subject = EnrolmentSubjects.expired(secretHash, role, name, usesLeft);
    events.audited(AuditEvent.own("TokenExpired", null, subject));
  }

  /** What an audited change is about; null for other messages. */
  private static @Nullable Subject subject(Connection from, Message request) {
    return switch (request) {
      case Maps.CreateInstance create -> Subject.instance(create.name());
      case Maps.DestroyInstance destroy -> Subject.instance(destroy.name());
      case Maps.DiscardInstance discard -> Subject.instance(discard.name());
      case Maps.ResizeInstance resize -> Subject.instance(resize.name());
      case Maps.ProtectInstance protect -> Subject.instance(protect.name());
      case Maps.SetAccess set -> Subject.instance(set.name());
      case Maps.SetPool set -> Subject.other("pool " + set.name());
      case Maps.Leave leave -> Subject.other("server " + leave.server());
      case Maps.Revive revive -> Subject.other(revive.group() + ", " + revive.seat());
      case Access.Prove prove -> Subject.other("MUNGE");
      case Jobs.BeginJob begin -> Subject.other("job " + begin.token());
      case Jobs.SetNodes set -> Subject.other("job " + set.token());
      case Jobs.EndJob end -> Subject.other("job " + end.token());
      case Maps.AddManager add -> Subject.other("manager " + add.name());
      case Maps.RemoveManager remove -> Subject.other("manager " + remove.name());
      case Enrolment.Request enrolment -> EnrolmentSubjects.of(from, enrolment);
      default -> null;
    };
  }

  private static @Nullable Identity who(Message request) {
    return request instanceof ClaimsUser claim ? claim.who() : null;
  }
}
