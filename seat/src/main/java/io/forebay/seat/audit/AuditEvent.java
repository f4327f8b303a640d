// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.audit;

import io.forebay.wire.Connection;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import io.forebay.wire.proof.PeerCertificate;
import io.forebay.wire.proof.PeerProof;
import org.jspecify.annotations.Nullable;

/**
 * A request that was carried out or refused, or what a manager or a seat did by itself.
 *
 * @param principal what the other end of the connection has proved, as text; {@link #ITSELF} if no
 *     request caused it
 * @param user the user of the request; null if it names none
 * @param peer the address of the other end; empty if there is none
 * @param action the name of the message, or of what happened
 * @param subject what it was about
 * @param refusal the sentence with which it was refused; null if it was carried out
 */
public record AuditEvent(
    String principal,
    @Nullable Integer user,
    String peer,
    String action,
    Subject subject,
    @Nullable String refusal) {
  /** The principal of what no request caused. */
  public static final String ITSELF = "itself";

  /**
   * What a request is about.
   *
   * @param instance its name, or its number if the name is not known; empty for none
   * @param detail anything else, such as a job or a node; empty for none
   */
  public record Subject(String instance, String detail) {
    /** Nothing in particular. */
    public static final Subject NONE = new Subject("", "");

    static Subject instance(String name) {
      return new Subject(name, "");
    }

    static Subject other(String detail) {
      return new Subject("", detail);
    }

    /** The same with a note, which may be empty. */
    Subject and(String note) {
      if (note.isEmpty()) return this;
      return new Subject(instance, detail.isEmpty() ? note : detail + ", " + note);
    }
  }

  /** What happened without a request. */
  static AuditEvent own(String action, @Nullable Integer user, Subject subject) {
    return new AuditEvent(ITSELF, user, "", action, subject, null);
  }

  /** The event of an answer. */
  static AuditEvent of(
      Connection from, @Nullable Identity who, Message request, Subject subject, Message reply) {
    return new AuditEvent(
        principal(from),
        who == null ? null : who.user(),
        from.remote(),
        request.getClass().getSimpleName(),
        subject,
        reply instanceof Replies.Failed failed ? failed.detail() : null);
  }

  /** The same event of one that has proved itself by other means than its connection. */
  AuditEvent by(@Nullable String proof) {
    return proof == null ? this : new AuditEvent(proof, user, peer, action, subject, refusal);
  }

  static String principal(Connection from) {
    PeerProof proof = from.peer();
    if (proof.certificate().isProven()) return "certificate of " + holder(proof.certificate());
    Identity local = proof.local();
    if (local == null) return "unproved " + from.hello().role();
    return "user %s of this machine".formatted(Integer.toUnsignedString(local.user()));
  }

  private static String holder(PeerCertificate certificate) {
    CertificateName name = CertificateName.of(certificate.names());
    return name == null ? certificate.subject() : name.toString();
  }

  /** Whether a request was refused because its sender lacks a right. */
  static boolean lacksRight(Message reply) {
    return reply instanceof Replies.Failed failed
        && switch (failed.code()) {
          case REFUSED, ACCESS_DENIED, NOT_PERMITTED, UNPROVED -> true;
          default -> false;
        };
  }

  /** Whether nothing was decided, so that the sender asks again. */
  static boolean isUndecided(Message reply) {
    return reply instanceof Replies.Failed failed
        && (failed.code() == ErrorCode.UNAVAILABLE || failed.code() == ErrorCode.BUSY);
  }
}
