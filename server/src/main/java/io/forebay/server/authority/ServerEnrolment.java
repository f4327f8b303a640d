// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.authority;

import io.forebay.client.enrol.Enroller;
import io.forebay.client.enrol.IdentityKeeper;
import io.forebay.client.host.OwnHosts;
import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.tls.IdentityFiles;
import io.forebay.wire.tls.TlsFiles;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of a server by the cluster's own CA, in the folder {@code tls} of its directory.
 */
public final class ServerEnrolment {
  /**
   * A server.
   *
   * @param directory where its data is
   */
  public record Server(String name, Path directory, Address.Inet listen, List<Address> managers) {}

  private final Server server;
  private final IdentityFiles files;
  private final List<String> hosts;

  private ServerEnrolment(Server server, IdentityFiles files, List<String> hosts) {
    this.server = server;
    this.files = files;
    this.hosts = hosts;
  }

  /** Where a server of that directory has its certificate. */
  public static IdentityFiles files(Path directory) {
    return new IdentityFiles(directory.resolve("tls"));
  }

  /**
   * Finds the certificate of a server, or enrols with a token. Waits for the manager.
   *
   * @return null if there is neither
   */
  public static @Nullable ServerEnrolment prepare(Server server, @Nullable JoinToken token)
      throws IOException {
    IdentityFiles files = files(server.directory());
    if (token == null && !files.exist()) return null;
    List<String> hosts = OwnHosts.of(server.listen());
    CertificateName name = new CertificateName(Role.SERVER, server.name());
    Enroller enroller = new Enroller(server.managers(), files);
    if (!enroller.isEnrolled(token, name)) {
      if (token == null) {
        throw new IOException(
            "the certificate in '%s' has expired or is not of %s; give another token ('forebay token create --role server')"
                .formatted(files.directory(), name));
      }
      enroller.enrolPatiently(token, name, hosts);
    } else if (token != null) {
      enroller.enrolAgain(token, name, hosts);
    }
    return new ServerEnrolment(server, files, hosts);
  }

  /** Where the certificate is. */
  public TlsSettings settings() {
    return files.settings();
  }

  /** Renews it from now on, and learns of revocations. */
  public IdentityKeeper keep(TlsFiles tls) throws IOException {
    IdentityKeeper keeper = new IdentityKeeper(server.managers(), files, hosts, tls);
    keeper.start();
    return keeper;
  }
}
