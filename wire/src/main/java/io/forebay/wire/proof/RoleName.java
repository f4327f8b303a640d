// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.proof;

import java.util.Locale;
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

  private static final String PREFIX = "urn:forebay:";

  /** The URI. */
  public String uri() {
    return PREFIX + role.name().toLowerCase(Locale.ROOT) + ":" + name;
  }

  /** The part that a URI names, or null if it names none. */
  public static @Nullable RoleName parse(String uri) {
    if (!uri.startsWith(PREFIX)) return null;
    int colon = uri.indexOf(':', PREFIX.length());
    if (colon < 0 || colon == uri.length() - 1) return null;
    String role = uri.substring(PREFIX.length(), colon);
    for (Role each : Role.values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(role)) {
        return new RoleName(each, uri.substring(colon + 1));
      }
    }
    return null;
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
