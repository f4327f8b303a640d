// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.authority;

import io.forebay.client.enrol.CertificateAdmin;
import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.message.Enrolment;
import io.forebay.wire.tls.IdentityFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tokens for servers that belong to the operator of the manager, on the manager's machine: they
 * enrol without being told to. One thread.
 */
public final class ServerTokens implements AutoCloseable {
  private static final Duration TTL = Duration.ofMinutes(10);

  private final CertificateAdmin admin;
  private final IdentityFiles administrator;

  private ServerTokens(CertificateAdmin admin, IdentityFiles administrator) {
    this.admin = admin;
    this.administrator = administrator;
  }

  /**
   * Of managers that run.
   *
   * @param directory that of one of them
   */
  public static ServerTokens of(List<Address> managers, Path directory) throws IOException {
    return new ServerTokens(
        CertificateAdmin.of(managers, ManagerAuthority.administrator(directory)),
        ManagerAuthority.administratorFiles(directory));
  }

  /** A token for a server without a certificate that it can use; null if it has one. */
  public @Nullable JoinToken ifNeeded(String server, IdentityFiles files) throws IOException {
    return isUsable(server, files) ? null : create(server);
  }

  private boolean isUsable(String server, IdentityFiles files) throws IOException {
    if (!files.exist() || !files.authority().equals(administrator.authority())) return false;
    X509Certificate certificate = files.certificate();
    for (Enrolment.Certificate each : admin.certificates()) {
      if (each.serial() == ClusterCa.serial(certificate)) {
        return !each.revoked() && each.name().equals(server);
      }
    }
    return false;
  }

  /**
   * A token for one server. Certificates that the name has are revoked: a server that was killed
   * while it renewed may have one that it does not know.
   */
  public JoinToken create(String server) throws IOException {
    boolean taken =
        admin.certificates().stream()
            .anyMatch(
                each ->
                    each.role() == Role.SERVER && each.name().equals(server) && !each.revoked());
    if (taken) admin.revoke(server, Role.SERVER);
    return admin.createToken(Role.SERVER, server, TTL, 1).token();
  }

  /** A token for one more manager. */
  public JoinToken createForManager() throws IOException {
    return admin.createToken(Role.MANAGER, "", TTL, 1).token();
  }

  @Override
  public void close() {
    admin.close();
  }
}
