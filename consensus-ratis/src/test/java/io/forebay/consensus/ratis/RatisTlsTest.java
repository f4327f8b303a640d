// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.server.authority.ManagerTls;
import io.forebay.server.consensus.GroupConfig;
import io.forebay.testing.TestCertificates;
import io.forebay.wire.Address;
import io.forebay.wire.tls.TlsFiles;
import io.forebay.wire.tls.TlsIdentity;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that authenticate each other. */
class RatisTlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);

  /** A frame of HTTP/2 that is answered. */
  private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

  private static final int SILENCE_MILLIS = 500;

  @TempDir private static Path certificates;
  private static TestCertificates ca;

  @TempDir Path directory;

  @BeforeAll
  static void makeCa() throws IOException {
    ca = TestCertificates.create(certificates, "ca");
  }

  @Test
  void nodesAgreeUnderTlsAndShutOthersOut() throws Exception {
    String names = "san=ip:" + TestGroup.address(0).host() + ",ip:" + TestGroup.address(1).host();
    GroupConfig.Tls tls = tls(ca.issue("node", "EC", names));
    try (TestGroup group = new TestGroup(directory.resolve("group"), 2, tls)) {
      List<Owner> owners = begin(group);
      group.consensus(0).propose(Owner.bytes("a"), owners.getFirst().outcomes::add);
      group.await("the command", () -> owners.get(1).applied.equals(List.of("a")));
      assertThatThrownBy(() -> dial(tls, TestGroup.address(0)))
          .as("a client without a certificate")
          .isInstanceOf(SSLException.class);
      assertThat(owners.getFirst().outcomes).hasSizeLessThan(2);
    }
  }

  @Test
  void theConnectionsOfARevokedManagerEnd() throws Exception {
    TlsFiles files = managerFiles("manager", 0, 1);
    GroupConfig.Tls tls = ManagerTls.of(files);
    TlsFiles other = managerFiles("other", 0);
    long revoked = serial(other.identity());
    try (TestGroup group = new TestGroup(directory.resolve("group"), 2, tls)) {
      List<Owner> owners = begin(group);
      try (SSLSocket peer = dialAs(ManagerTls.of(other), TestGroup.address(0))) {
        peer.getOutputStream().write(PREFACE);
        assertThat(isCut(peer)).as("a connection of a manager").isFalse();
        files.revoked().set(List.of(revoked));
        assertThat(isCut(peer)).as("an open connection of the revoked manager").isTrue();
      }
      group.consensus(0).propose(Owner.bytes("b"), owners.getFirst().outcomes::add);
      group.await("a command among the others", () -> owners.get(1).applied.contains("b"));

      // Its own number: each of the two refuses the other from now on.
      files.revoked().set(List.of(revoked, serial(files.identity())));
      group.await("the end of its leadership", () -> !owners.getFirst().leading);
    }
  }

  private static List<Owner> begin(TestGroup group) throws Exception {
    group.found(0, null);
    List<Owner> owners = List.of(new Owner(), new Owner());
    for (int i = 0; i < 2; i++) {
      group.open(i);
      group.consensus(i).start(owners.get(i), owners.get(i));
    }
    group.await("a leader", () -> owners.getFirst().leading);
    group.consensus(0).changeMembers(List.of(group.peer(0), group.peer(1)), owners.getFirst());
    group.await("two members", () -> owners.getFirst().changes.contains("changed"));
    return owners;
  }

  private static TlsFiles managerFiles(String name, int... nodes) throws Exception {
    StringBuilder names = new StringBuilder("san=uri:urn:forebay:manager:" + name);
    for (int node : nodes) names.append(",ip:").append(TestGroup.address(node).host());
    TestCertificates.Pair pair = ca.issue(name, "EC", names.toString());
    return TlsFiles.open(
        new TlsSettings(pair.certificate(), pair.key(), ca.ca()), System::nanoTime);
  }

  private static long serial(TlsIdentity identity) {
    X509ExtendedKeyManager keys = Objects.requireNonNull(identity.keys());
    String alias = keys.chooseEngineServerAlias("EC", null, null);
    return keys.getCertificateChain(alias)[0].getSerialNumber().longValue();
  }

  private static SSLSocket dialAs(GroupConfig.Tls tls, Address.Inet to) throws Exception {
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(new KeyManager[] {tls.keys()}, new TrustManager[] {tls.trust()}, null);
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(to.host(), to.port());
    var parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  /** Sends something, as a peer does, and reads until the other end has closed. */
  private static boolean isCut(SSLSocket peer) throws IOException {
    peer.setSoTimeout(SILENCE_MILLIS);
    try {
      peer.getOutputStream().write(SETTINGS);
      byte[] answers = new byte[1024];
      int read = 0;
      while (read >= 0) read = peer.getInputStream().read(answers);
      return true;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (IOException cut) {
      return true;
    }
  }

  /** Connects without a certificate, and reads what a server sends first. */
  private static int dial(GroupConfig.Tls tls, Address.Inet to) throws Exception {
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(null, new TrustManager[] {tls.trust()}, null);
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(to.host(), to.port())) {
      var parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return socket.getInputStream().read();
    }
  }

  private static GroupConfig.Tls tls(TestCertificates.Pair own)
      throws GeneralSecurityException, IOException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry("own", key(own.key()), PASSWORD, new Certificate[] {read(own.certificate())});
    KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX");
    keyManagers.init(keys, PASSWORD);
    KeyStore authorities = KeyStore.getInstance("PKCS12");
    authorities.load(null, null);
    authorities.setCertificateEntry("ca", read(ca.ca()));
    TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX");
    trustManagers.init(authorities);
    return new GroupConfig.Tls(
        (X509ExtendedKeyManager) keyManagers.getKeyManagers()[0],
        (X509ExtendedTrustManager) trustManagers.getTrustManagers()[0]);
  }

  private static Certificate read(Path file) throws GeneralSecurityException, IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  private static PrivateKey key(Path file) throws GeneralSecurityException, IOException {
    String text = Files.readString(file).replaceAll("-----[A-Z ]+-----", "");
    byte[] encoded = Base64.getMimeDecoder().decode(text);
    return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
  }
}
