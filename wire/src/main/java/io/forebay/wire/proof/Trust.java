// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.proof;

import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.message.Identity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a process believes of the other ends of its connections.
 *
 * @param open whether it believes everything, since its network is closed to strangers
 * @param ownUser the user of the process
 */
public record Trust(boolean open, int ownUser) {
  /** Believes everything. */
  public static final Trust OPEN = new Trust(true, Identity.ROOT);

  private static final Principal STRANGER = new Principal.Stranger();

  /** Believes only what is proved. */
  public static Trust ofProofs(int ownUser) {
    return new Trust(false, ownUser);
  }

  /**
   * The other end of a connection: by its certificate if that names a role, otherwise by what the
   * kernel says of it.
   */
  public Principal principalOf(PeerProof proof) {
    if (open) return new Principal.Operator("a program of the open network");
    CertificateName role = CertificateName.of(proof.certificate().names());
    if (role != null) return ofRole(role);
    Identity local = proof.local();
    if (local == null) return STRANGER;
    return local.user() == Identity.ROOT || local.user() == ownUser
        ? new Principal.Operator("user " + local.user() + " of this machine")
        : new Principal.User(local);
  }

  private static Principal ofRole(CertificateName role) {
    return switch (role.role()) {
      case SERVER -> new Principal.Server(role.name());
      case MANAGER -> new Principal.ManagerNode(role.name());
      case AGENT -> new Principal.Agent(role.name(), false);
      case BATCH -> new Principal.Agent(role.name(), true);
      case ADMIN -> new Principal.Operator("administrator '" + role.name() + "'");
      case USER -> ofUser(role.name());
    };
  }

  private static Principal ofUser(String number) {
    Integer user = userNumber(number);
    // A certificate names no groups: the user's own group is that of its number.
    return user == null || user == Identity.ROOT
        ? STRANGER
        : new Principal.User(new Identity(user, List.of(user)));
  }

  private static @Nullable Integer userNumber(String number) {
    try {
      return Integer.parseUnsignedInt(number);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
