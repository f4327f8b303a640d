// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.proof;

import io.forebay.wire.authority.CertificateName;
import org.jspecify.annotations.Nullable;

/**
 * The part that the holder of a certificate plays, as a URI among the certificate's alternative
 * names: {@code urn:forebay:ROLE:NAME}.
 *
 * @param name the name of a server, manager or administrator, the node of an agent, or the number
 *     of a user
 */
public record RoleName(Role role, String name) {
  /** The parts. */
  public enum Role {
    SERVER,
    MANAGER,
    AGENT,
    USER,
    ADMIN
  }

  /** The URI. */
  public String uri() {
    return new CertificateName(CertificateName.Role.valueOf(role.name()), name).uri();
  }

  /** The part that a URI names, or null if it names none. */
  public static @Nullable RoleName parse(String uri) {
    CertificateName found = CertificateName.parse(uri);
    return found == null ? null : new RoleName(Role.valueOf(found.role().name()), found.name());
  }

  /** The part of a certificate's holder; null if it names none, or several. */
  public static @Nullable RoleName of(PeerCertificate certificate) {
    RoleName found = null;
    for (String name : certificate.names()) {
      RoleName role = parse(name);
      if (role == null) continue;
      if (found != null) return null;
      found = role;
    }
    return found;
  }
}
