// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import io.forebay.base.MonotonicClock;
import io.forebay.client.ForebayOptions;
import io.forebay.client.enrol.CertificateAdmin;
import io.forebay.client.enrol.Enroller;
import io.forebay.client.enrol.IdentityKeeper;
import io.forebay.server.authority.ManagerAuthority;
import io.forebay.server.authority.ServerEnrolment;
import io.forebay.server.authority.ServerTokens;
import io.forebay.store.disk.OwnerOnly;
import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.message.Identity;
import io.forebay.wire.tls.IdentityFiles;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The certificates of a ring of local processes, by the cluster's own CA: its manager makes one,
 * and servers and clients enrol with tokens. One thread uses it; any may close it.
 */
public final class RingCertificates implements AutoCloseable {
  /** A user that is not root, whoever runs this: there are no certificates of users for root. */
  private static final int USER = 1000;

  private static final Duration TOKEN_TTL = Duration.ofMinutes(10);

  private final Path directory;
  private final Duration lifetime;
  private final List<IdentityKeeper> keepers = new ArrayList<>();
  private List<Address> managers = List.of();

  RingCertificates(Path directory, Duration lifetime) {
    this.directory = directory;
    this.lifetime = lifetime;
  }

  List<String> managerOptions() {
    return List.of("--own-ca", "true", "--certificate-lifetime", lifetime.toSeconds() + "s");
  }

  void managersAreAt(Collection<String> addresses) {
    managers = addresses.stream().map(Address::parse).toList();
  }

  private List<Address> managers() {
    if (managers.isEmpty()) throw new IllegalStateException("the ring is not started");
    return managers;
  }

  private Path managerDirectory() {
    return directory.resolve(RingMember.MANAGER);
  }

  private CertificateAdmin admin() throws IOException {
    return CertificateAdmin.of(managers(), ManagerAuthority.administrator(managerDirectory()));
  }

  private IdentityFiles filesOf(String server) {
    return ServerEnrolment.files(directory.resolve(server));
  }

  /** The options by which a server gets a certificate; none if it has one, valid or not. */
  List<String> serverOptions(String server) throws IOException {
    return filesOf(server).exist() ? List.of() : tokenOptions(server);
  }

  /** The options by which a server gets another certificate. */
  List<String> tokenOptions(String server) throws IOException {
    JoinToken token;
    try (ServerTokens tokens = ServerTokens.of(managers(), managerDirectory())) {
      token = tokens.create(server);
    }
    return tokenOptions(server, token);
  }

  /** The options by which a further manager gets a certificate and a CA. */
  List<String> managerTokenOptions(String manager) throws IOException {
    try (ServerTokens tokens = ServerTokens.of(managers(), managerDirectory())) {
      return tokenOptions(manager, tokens.createForManager());
    }
  }

  private List<String> tokenOptions(String process, JoinToken token) throws IOException {
    Path file = directory.resolve(process + ".token");
    try (FileChannel out =
        OwnerOnly.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer text = StandardCharsets.US_ASCII.encode(token.text());
      while (text.hasRemaining()) out.write(text);
    }
    return List.of("--token", "@" + file);
  }

  /** How an operator connects: with the certificate of the manager's administrator. */
  ForebayOptions operator() {
    return ForebayOptions.defaults().withTls(ManagerAuthority.administrator(managerDirectory()));
  }

  /** How a user connects; enrols, and renews the certificate from then on. */
  ForebayOptions user(String name) throws IOException {
    IdentityFiles files = new IdentityFiles(directory.resolve("clients").resolve(name));
    CertificateName user = CertificateName.user(USER);
    try (CertificateAdmin admin = admin()) {
      JoinToken token = admin.createToken(Role.USER, user.name(), TOKEN_TTL, 1).token();
      new Enroller(managers(), files).enrol(token, user, List.of());
    }
    TlsFiles tls = TlsFiles.open(files.settings(), MonotonicClock.system());
    IdentityKeeper keeper = new IdentityKeeper(managers(), files, List.of(), tls);
    keeper.start();
    synchronized (keepers) {
      keepers.add(keeper);
    }
    return ForebayOptions.defaults()
        .withTls(files.settings())
        .withIdentity(new Identity(USER, List.of(USER)));
  }

  /** The certificate that a server has now; it may have expired. */
  public X509Certificate of(String server) throws IOException {
    return filesOf(server).certificate();
  }

  /** Revokes all certificates of a server. */
  public void revoke(String server) throws IOException {
    try (CertificateAdmin admin = admin()) {
      admin.revoke(server);
    }
  }

  @Override
  public void close() {
    List<IdentityKeeper> open;
    synchronized (keepers) {
      open = List.copyOf(keepers);
      keepers.clear();
    }
    open.forEach(IdentityKeeper::close);
  }
}
