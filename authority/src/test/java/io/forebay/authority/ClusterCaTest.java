// SPDX-License-Identifier: Apache-2.0

package io.forebay.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.server.authority.CertificateMakers;
import io.forebay.server.authority.ClusterCa;
import io.forebay.server.authority.Holder;
import io.forebay.wire.authority.CertificateMaker;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.HolderKey;
import io.forebay.wire.tls.IdentityFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates of a cluster's own CA, as the JDK and OpenSSL see them. */
class ClusterCaTest {
  private static final Holder SERVER =
      new Holder(
          new CertificateName(CertificateName.Role.SERVER, "node 1/b"),
          List.of("node1.site", "10.0.0.1", "fe80:0:0:0:0:0:0:1"));

  @TempDir Path folder;

  private ClusterCa open() throws IOException {
    return ClusterCa.open(folder.resolve("ca"), CertificateMakers.find(), InstantSource.system());
  }

  private static void validate(X509Certificate certificate, X509Certificate ca, Instant at)
      throws Exception {
    CertPath path = CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate));
    PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(ca, null)));
    parameters.setRevocationEnabled(false);
    parameters.setDate(Date.from(at));
    CertPathValidator.getInstance("PKIX").validate(path, parameters);
  }

  @Test
  void certificatesNameRoleAndHostsAndLast90Days() throws Exception {
    ClusterCa ca = open();
    IdentityFiles files = new IdentityFiles(folder.resolve("server"));
    X509Certificate made = ca.issue(files, SERVER, ClusterCa.LIFETIME);
    assertThat(files.certificate()).isEqualTo(made);
    assertThat(files.authority()).isEqualTo(ca.certificate());
    assertThat(HolderKey.isPair(files.key(), made.getPublicKey())).isTrue();
    Instant now = Instant.now();
    validate(made, ca.certificate(), now);
    validate(made, ca.certificate(), now.plus(Duration.ofDays(89)));
    assertThatThrownBy(() -> validate(made, ca.certificate(), now.plus(Duration.ofDays(91))))
        .isInstanceOf(CertPathValidatorException.class);
    assertThat(made.getSubjectAlternativeNames())
        .containsExactlyInAnyOrder(
            List.of(6, "urn:forebay:server:node%201%2Fb"),
            List.of(2, "node1.site"),
            List.of(7, "10.0.0.1"),
            List.of(7, "fe80:0:0:0:0:0:0:1"));
    assertThat(made.getExtendedKeyUsage())
        .containsExactlyInAnyOrder("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");
    assertThat(made.getBasicConstraints()).isEqualTo(-1);
    assertThat(made.getSerialNumber().signum()).isPositive();
    assertThat(ca.certificate().getBasicConstraints())
        .isEqualTo(CertificateMaker.INTERMEDIATES_MAX);
  }

  @Test
  void theCaStaysAndItsFilesAreItsOwners() throws Exception {
    ClusterCa first = open();
    assertThat(open().hash()).isEqualTo(first.hash());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("ca"))))
        .isEqualTo("rwx------");
    try (var files = Files.list(folder.resolve("ca"))) {
      assertThat(files)
          .isNotEmpty()
          .allSatisfy(
              file ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                      .isEqualTo("rw-------"));
    }
  }

  @Test
  void aCertificateOfAnotherCaIsNotAccepted() throws Exception {
    ClusterCa ca = open();
    ClusterCa other =
        ClusterCa.open(folder.resolve("other"), CertificateMakers.find(), InstantSource.system());
    X509Certificate strange =
        other.issue(new IdentityFiles(folder.resolve("x")), SERVER, ClusterCa.LIFETIME);
    assertThatThrownBy(() -> validate(strange, ca.certificate(), Instant.now()))
        .isInstanceOf(CertPathValidatorException.class);
  }

  @Test
  void aRequestThatItsKeyDidNotSignIsRefused() throws Exception {
    KeyPair key = HolderKey.make();
    KeyPair other = HolderKey.make();
    var proof = HolderKey.prove(key, SERVER.name());
    assertThat(HolderKey.verify(HolderKey.encoded(key.getPublic()), proof, SERVER.name()))
        .isEqualTo(key.getPublic());
    assertThatThrownBy(
            () -> HolderKey.verify(HolderKey.encoded(other.getPublic()), proof, SERVER.name()))
        .hasMessageContaining("not signed by its key");
    CertificateName another = CertificateName.user(0);
    assertThatThrownBy(() -> HolderKey.verify(HolderKey.encoded(key.getPublic()), proof, another))
        .hasMessageContaining("not signed by its key");
  }

  @Test
  void opensslAcceptsThem() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")), "needs openssl: install it");
    ClusterCa ca = open();
    IdentityFiles files = new IdentityFiles(folder.resolve("server"));
    ca.issue(files, SERVER, ClusterCa.LIFETIME);
    for (String purpose : List.of("sslserver", "sslclient")) {
      Process process =
          new ProcessBuilder(
                  "/usr/bin/openssl",
                  "verify",
                  "-x509_strict",
                  "-purpose",
                  purpose,
                  "-CAfile",
                  files.settings().ca().toString(),
                  files.settings().certificate().toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(said).isZero();
    }
  }

  @Test
  void theLibraryIsFound() throws Exception {
    assertThat(CertificateMakers.find()).isInstanceOf(CertificateMaker.class);
  }
}
