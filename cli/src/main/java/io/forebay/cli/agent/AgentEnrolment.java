// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.agent;

import io.forebay.base.MonotonicClock;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.client.enrol.Enroller;
import io.forebay.client.enrol.IdentityKeeper;
import io.forebay.client.host.TlsSource;
import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.tls.Certificates;
import io.forebay.wire.tls.IdentityFiles;
import io.forebay.wire.tls.TlsFiles;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The certificate of an agent by the cluster's own CA. */
final class AgentEnrolment implements AutoCloseable {
  private final IdentityFiles files;
  private final TlsFiles tls;
  private final IdentityKeeper keeper;

  private AgentEnrolment(IdentityFiles files, TlsFiles tls, IdentityKeeper keeper) {
    this.files = files;
    this.tls = tls;
    this.keeper = keeper;
  }

  /**
   * Finds the certificate of a node's agent, or enrols with a token. Waits for the manager.
   *
   * @param name the node, and whether its agent speaks for the batch system
   * @return null if there is neither
   */
  static @Nullable AgentEnrolment prepare(
      Path directory, List<Address> managers, CertificateName name, @Nullable JoinToken token)
      throws IOException {
    IdentityFiles files = new IdentityFiles(directory.toAbsolutePath());
    Enroller enroller = new Enroller(managers, files);
    if (!enroller.isEnrolled(token, name)) {
      requireRole(files, name, token);
      if (token == null) return null;
      enroller.enrolPatiently(token, name, List.of());
    } else if (token != null) {
      enroller.enrolAgain(token, name, List.of());
    }
    TlsFiles tls = TlsFiles.open(files.settings(), MonotonicClock.system());
    return new AgentEnrolment(files, tls, new IdentityKeeper(managers, files, List.of(), tls));
  }

  /** Without another token, the certificate of an agent of the other kind is of no use. */
  private static void requireRole(
      IdentityFiles files, CertificateName name, @Nullable JoinToken token) throws IOException {
    if (token != null || !files.exist()) return;
    CertificateName has = CertificateName.of(Certificates.names(files.certificate()));
    if (has == null || has.role() == name.role() || !has.name().equals(name.name())) return;
    throw new CommandFailed(
        "the certificate in '%s' is that of %s; give a token of 'forebay token create --role %s'"
            .formatted(files.directory(), has, name.role().word()));
  }

  TlsFiles tls() {
    return tls;
  }

  /** Renews it from now on. */
  void start() throws IOException {
    keeper.start();
  }

  TlsSettings settings() {
    return files.settings();
  }

  /** For the mounts that the agent starts: they use its certificate, and find renewed ones. */
  Map<String, String> environment() {
    TlsSettings settings = settings();
    return Map.of(
        TlsSource.CERTIFICATE,
        settings.certificate().toString(),
        TlsSource.KEY,
        settings.key().toString(),
        TlsSource.CA,
        settings.ca().toString());
  }

  @Override
  public void close() {
    keeper.close();
  }
}
