// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.server.consensus.GroupConfig;
import io.forebay.testing.TestCertificates;
import io.forebay.wire.Address;
import java.io.IOException;
import java.io.InputStream;
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
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that authenticate each other. */
class RatisTlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir Path directory;

  @Test
  void nodesAgreeUnderTlsAndShutOthersOut() throws Exception {
    Path files = Files.createDirectory(directory.resolve("certificates"));
    TestCertificates ca = TestCertificates.create(files, "ca");
    String names = "san=ip:" + TestGroup.address(0).host() + ",ip:" + TestGroup.address(1).host();
    GroupConfig.Tls tls = tls(ca, ca.issue("manager", "EC", names));
    try (TestGroup group = new TestGroup(directory.resolve("group"), 2, tls)) {
      group.found(0, null);
      List<Owner> owners = List.of(new Owner(), new Owner());
      for (int i = 0; i < 2; i++) {
        group.open(i);
        group.consensus(i).start(owners.get(i), owners.get(i));
      }
      group.await("a leader", () -> owners.getFirst().leading);
      group.consensus(0).changeMembers(List.of(group.peer(0), group.peer(1)), owners.getFirst());
      group.await("two members", () -> owners.getFirst().changes.contains("changed"));
      group.consensus(0).propose(Owner.bytes("a"), owners.getFirst().outcomes::add);
      group.await("the command", () -> owners.get(1).applied.equals(List.of("a")));
      assertThatThrownBy(() -> dial(tls, TestGroup.address(0)))
          .as("a client without a certificate")
          .isInstanceOf(SSLException.class);
      assertThat(owners.getFirst().outcomes).hasSizeLessThan(2);
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

  private static GroupConfig.Tls tls(TestCertificates ca, TestCertificates.Pair own)
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
