// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.audit;

import io.forebay.base.Bytes;
import io.forebay.seat.audit.AuditEvent.Subject;
import io.forebay.wire.Connection;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.message.Enrolment;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What requests about tokens and certificates are about. A token is named by the first digits of
 * the hash of its secret, so that its creation, use and expiry can be found together.
 */
final class EnrolmentSubjects {
  private static final int SHOWN_HASH_BYTES = 4;

  private EnrolmentSubjects() {}

  /** Null for a request that only asks. */
  static @Nullable Subject of(Connection from, Enrolment.Request request) {
    return switch (request) {
      case Enrolment.CreateToken create ->
          Subject.other(
              "token %s for %s, %s within %d s"
                  .formatted(
                      token(create.secretHash()),
                      holder(create.role(), create.name()),
                      uses(create.uses()),
                      create.ttlSeconds()));
      case Enrolment.Enrol enrol ->
          Subject.other(
              "%s by token %s"
                  .formatted(
                      holder(enrol.role(), enrol.name()),
                      token(JoinToken.sha256(enrol.secret().toArray()))));
      case Enrolment.Renew renew -> Subject.other(holder(from));
      case Enrolment.Revoke revoke ->
          Subject.other(
              revoke.serial() == 0
                  ? "all of '" + revoke.name() + "'"
                  : "number " + Long.toHexString(revoke.serial()));
      case Enrolment.EnterCertificates enter ->
          Subject.other(
              enter.certificates().stream()
                  .map(
                      each ->
                          holder(each.role(), each.name())
                              + " number "
                              + Long.toHexString(each.serial()))
                  .collect(Collectors.joining(", ")));
      case Enrolment.ListCertificates list -> null;
      case Enrolment.GetRevoked get -> null;
    };
  }

  static Subject expired(Bytes secretHash, Role role, String name, int usesLeft) {
    return Subject.other(
        "token %s for %s, %s left"
            .formatted(token(secretHash), holder(role, name), uses(usesLeft)));
  }

  private static String token(Bytes secretHash) {
    byte[] hash = secretHash.toArray();
    return HexFormat.of().formatHex(hash, 0, Math.min(SHOWN_HASH_BYTES, hash.length));
  }

  private static String uses(int count) {
    return count + (count == 1 ? " use" : " uses");
  }

  private static String holder(Role role, String name) {
    return name.isEmpty() ? "any " + role.word() : new CertificateName(role, name).toString();
  }

  private static String holder(Connection from) {
    CertificateName name = CertificateName.of(from.peer().certificate().names());
    return name == null ? "no holder of a certificate" : name.toString();
  }
}
