// SPDX-License-Identifier: Apache-2.0

package io.forebay.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.MonotonicClock;
import io.forebay.server.authority.CertificateMakers;
import io.forebay.server.authority.ClusterCa;
import io.forebay.server.authority.Holder;
import io.forebay.server.authority.ManagerTls;
import io.forebay.server.consensus.GroupConfig;
import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateMaker;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.HolderKey;
import io.forebay.wire.tls.Certificates;
import io.forebay.wire.tls.IdentityFiles;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CAs that sign one another, in handshakes of the JDK. */
class SeveralAuthoritiesTest {
  private static final String HOST = "127.0.0.1";
  private static final Holder MANAGER = holder(Role.MANAGER, "m1");
  private static final Holder SERVER = holder(Role.SERVER, "s1");

  @TempDir Path folder;
  private ClusterCa root;
  private int made;
  private long serial = 100;

  @BeforeEach
  void open() throws Exception {
    root = open(folder.resolve("root"));
  }

  private static Holder holder(Role role, String name) {
    return new Holder(new CertificateName(role, name), List.of(HOST));
  }

  private static ClusterCa open(Path directory) throws IOException {
    return ClusterCa.open(directory, CertificateMakers.find(), InstantSource.system());
  }

  /** The CA of a further manager. */
  private ClusterCa below(ClusterCa issuer) throws Exception {
    KeyPair key = HolderKey.make();
    X509Certificate certificate = issuer.signAuthority(key.getPublic(), "m" + ++made, ++serial);
    Path directory = folder.resolve("ca-" + made);
    new IdentityFiles(directory)
        .write(key.getPrivate(), issuer.chainOf(certificate), issuer.root());
    return open(directory);
  }

  private IdentityFiles issue(ClusterCa ca, Holder holder) throws IOException {
    IdentityFiles files = new IdentityFiles(folder.resolve("process-" + ++made));
    ca.issue(files, holder, ClusterCa.LIFETIME);
    return files;
  }

  private static TlsFiles tls(IdentityFiles files) throws IOException {
    return TlsFiles.open(files.settings(), MonotonicClock.system());
  }

  /** Both ends shake hands as processes of the cluster do. */
  private static void shake(TlsFiles dialling, TlsFiles listening) throws Exception {
    shake(
        dialling.identity().dialling(new Address.Inet(HOST, 1)), listening.identity().listening());
  }

  /** The same between managers, whose engine of consensus makes its own connections. */
  private static void shakeAsManagers(GroupConfig.Tls dialling, GroupConfig.Tls listening)
      throws Exception {
    SSLEngine client = context(dialling).createSSLEngine(HOST, 1);
    client.setUseClientMode(true);
    SSLParameters parameters = client.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    client.setSSLParameters(parameters);
    SSLEngine server = context(listening).createSSLEngine();
    server.setUseClientMode(false);
    server.setNeedClientAuth(true);
    shake(client, server);
  }

  private static SSLContext context(GroupConfig.Tls tls) throws Exception {
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(new KeyManager[] {tls.keys()}, new TrustManager[] {tls.trust()}, null);
    return context;
  }

  private static void shake(SSLEngine client, SSLEngine server) throws SSLException {
    client.beginHandshake();
    server.beginHandshake();
    ByteBuffer toServer = ByteBuffer.allocate(1 << 17).limit(0);
    ByteBuffer toClient = ByteBuffer.allocate(1 << 17).limit(0);
    boolean moved = true;
    while (moved) {
      moved = step(client, toClient, toServer);
      if (step(server, toServer, toClient)) moved = true;
    }
    assertThat(List.of(client.getHandshakeStatus(), server.getHandshakeStatus()))
        .containsOnly(HandshakeStatus.NOT_HANDSHAKING);
  }

  private static boolean step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
    return switch (engine.getHandshakeStatus()) {
      case NEED_TASK -> {
        engine.getDelegatedTask().run();
        yield true;
      }
      case NEED_WRAP -> {
        out.compact();
        engine.wrap(ByteBuffer.allocate(0), out);
        out.flip();
        yield true;
      }
      case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
        int before = in.remaining();
        engine.unwrap(in, ByteBuffer.allocate(1 << 15));
        yield in.remaining() != before || engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK;
      }
      default -> false;
    };
  }

  private static void assertRefused(TlsFiles dialling, TlsFiles listening, String why) {
    assertThatThrownBy(() -> shake(dialling, listening)).hasStackTraceContaining(why);
  }

  @Test
  void chainsAreAcceptedUpToTheirBound() throws Exception {
    ClusterCa deepest = root;
    for (int i = 0; i < CertificateMaker.INTERMEDIATES_MAX; i++) {
      deepest = below(deepest);
      assertThat(deepest.hash()).isEqualTo(root.hash());
      assertThat(deepest.certificate().getNotAfter()).isEqualTo(root.certificate().getNotAfter());
    }
    IdentityFiles far = issue(deepest, SERVER);
    assertThat(far.chain()).hasSize(CertificateMaker.CHAIN_CERTIFICATES_MAX - 1);
    IdentityFiles near = issue(root, MANAGER);
    shake(tls(far), tls(near));
    shake(tls(near), tls(far));
    ClusterCa last = deepest;
    assertThatThrownBy(() -> below(last))
        .hasMessageContaining("6 CAs stand between")
        .hasMessageContaining("more than 8 certificates");
  }

  @Test
  void aRevokedCaRefusesAllThatItHasSigned() throws Exception {
    ClusterCa second = below(root);
    TlsFiles server = tls(issue(below(second), SERVER));
    TlsFiles manager = tls(issue(root, MANAGER));
    shake(server, manager);
    manager.revoked().set(List.of(second.certificate().getSerialNumber().longValueExact()));
    assertRefused(server, manager, "which with number 65 is revoked");
    assertRefused(manager, server, "which with number 65 is revoked");
    shake(tls(issue(root, SERVER)), manager);
  }

  @Test
  void aProcessSignsNothing() throws Exception {
    IdentityFiles server = issue(below(root), SERVER);
    KeyPair key = HolderKey.make();
    X509Certificate forged =
        CertificateMakers.find()
            .sign(
                new CertificateMaker.Authority(server.certificate(), server.key()),
                new CertificateMaker.Request(key.getPublic(), MANAGER.name(), List.of(HOST)),
                new CertificateMaker.Validity(
                    7,
                    server.certificate().getNotBefore().toInstant(),
                    server.certificate().getNotAfter().toInstant()));
    List<X509Certificate> chain = new ArrayList<>(List.of(forged));
    chain.addAll(server.chain());
    assertThatThrownBy(() -> Certificates.verify(chain, root.root()))
        .hasMessageContaining("keyCertSign");
    IdentityFiles files = new IdentityFiles(folder.resolve("forged"));
    files.write(key.getPrivate(), chain, root.root());
    assertRefused(tls(files), tls(issue(root, MANAGER)), "is not accepted");
  }

  @Test
  void managersAcceptManagersOnly() throws Exception {
    IdentityFiles own = issue(root, MANAGER);
    TlsFiles files = tls(own);
    GroupConfig.Tls here = ManagerTls.of(files);
    IdentityFiles of = issue(below(root), MANAGER);
    GroupConfig.Tls there = ManagerTls.of(tls(of));
    shakeAsManagers(here, there);
    shakeAsManagers(there, here);

    GroupConfig.Tls server = ManagerTls.of(tls(issue(root, SERVER)));
    String why = "the certificate of server 's1' is not that of a manager";
    assertThatThrownBy(() -> shakeAsManagers(here, server)).hasStackTraceContaining(why);
    assertThatThrownBy(() -> shakeAsManagers(server, here)).hasStackTraceContaining(why);
    GroupConfig.Tls stranger = ManagerTls.of(tls(issue(open(folder.resolve("x")), MANAGER)));
    assertThatThrownBy(() -> shakeAsManagers(stranger, here))
        .hasStackTraceContaining("is not accepted");

    files.revoked().set(List.of(of.certificate().getSerialNumber().longValueExact()));
    assertThatThrownBy(() -> shakeAsManagers(there, here)).hasStackTraceContaining("is revoked");
    assertThatThrownBy(() -> shakeAsManagers(here, there)).hasStackTraceContaining("is revoked");
  }

  @Test
  void managersShowTheirNewestCertificate() throws Exception {
    IdentityFiles own = issue(root, MANAGER);
    TlsFiles files = tls(own);
    GroupConfig.Tls tls = ManagerTls.of(files);
    String before = tls.keys().chooseEngineServerAlias("EC", null, null);
    BigInteger first = own.certificate().getSerialNumber();
    below(root).issue(own, MANAGER, ClusterCa.LIFETIME);
    files.reload();
    String after = tls.keys().chooseEngineServerAlias("EC", null, null);
    assertThat(tls.keys().getCertificateChain(after)).containsAll(own.chain());
    assertThat(HolderKey.isPair(tls.keys().getPrivateKey(after), own.certificate().getPublicKey()))
        .isTrue();
    // A handshake that has begun goes on with what it began with.
    X509Certificate shown = tls.keys().getCertificateChain(before)[0];
    assertThat(shown.getSerialNumber()).isEqualTo(first);
    assertThat(HolderKey.isPair(tls.keys().getPrivateKey(before), shown.getPublicKey())).isTrue();
    shakeAsManagers(tls, ManagerTls.of(tls(issue(root, MANAGER))));
  }
}
