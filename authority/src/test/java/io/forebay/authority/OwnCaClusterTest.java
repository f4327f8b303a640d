// SPDX-License-Identifier: Apache-2.0

package io.forebay.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.enrol.CertificateAdmin;
import io.forebay.server.Access;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import io.forebay.server.authority.ManagerAuthority;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import io.forebay.wire.Address;
import io.forebay.wire.tls.IdentityFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole cluster in one process, as {@code forebay up} runs it, with a CA of its own. */
@Timeout(120)
class OwnCaClusterTest {
  private static final byte[] VALUE = "kept".getBytes(StandardCharsets.UTF_8);

  @TempDir Path folder;

  private EmbeddedCluster start(String host, Access access) throws Exception {
    return EmbeddedCluster.builder()
        .servers(2)
        .copies(2)
        .segmentBytes(1 << 20)
        .budget(24 << 20, 24 << 20)
        .memoryRoot(folder)
        .directory(ring())
        .listen(new Address.Inet(host, 0))
        .access(access)
        .start();
  }

  private Path ring() {
    return folder.resolve("ring");
  }

  private static Access with(String... settings) throws Exception {
    return Access.ofUp(
        Settings.read(
            Keys.UP, null, settings.length == 0 ? Map.of() : Map.of(settings[0], settings[1])));
  }

  private X509Certificate authority() throws IOException {
    return new IdentityFiles(ring().resolve("manager/certificates/authority")).certificate();
  }

  private X509Certificate server(int number) throws IOException {
    return new IdentityFiles(ring().resolve("server-" + number).resolve("tls")).certificate();
  }

  private static byte[] read(EmbeddedCluster cluster) throws IOException {
    try (Forebay client = Forebay.connect(cluster.uri(), cluster.options())) {
      return client.pairs().get("key");
    }
  }

  @Test
  void theSameCaIsUsedAgainAndServersKeepTheirCertificates() throws Exception {
    try (EmbeddedCluster cluster = start("127.0.0.1", with("own-ca", "true"))) {
      assertThat(cluster.hasOwnCa()).isTrue();
      try (Forebay client = Forebay.connect(cluster.uri(), cluster.options())) {
        client.pairs().put("key", VALUE);
      }
      ForebayOptions plain =
          ForebayOptions.defaults().withTls(null).withTimeout(Duration.ofSeconds(2));
      assertThatThrownBy(() -> Forebay.connect(cluster.uri(), plain).close())
          .hasMessageContaining("this port takes TLS only");
    }
    try (Stream<Path> files = Files.walk(ring().resolve("manager/certificates"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .as(file.toString())
            .isEqualTo("rw-------");
      }
    }
    X509Certificate authority = authority();
    X509Certificate first = server(1);
    X509Certificate second = server(2);
    // Without the option, and at another address: certificates are for that one then.
    try (EmbeddedCluster cluster = start("127.0.0.2", with())) {
      assertThat(cluster.hasOwnCa()).isTrue();
      assertThat(authority()).isEqualTo(authority);
      assertThat(read(cluster)).isEqualTo(VALUE);
      EnrolledRing.await(() -> !server(1).equals(first));
      revoke(cluster, "server-2");
    }
    // A revoked server enrols again, since it belongs to the operator.
    try (EmbeddedCluster cluster = start("127.0.0.2", with())) {
      assertThat(read(cluster)).isEqualTo(VALUE);
      assertThat(server(2)).isNotEqualTo(second);
    }
  }

  private static void revoke(EmbeddedCluster cluster, String server) throws IOException {
    try (CertificateAdmin admin =
        CertificateAdmin.of(
            List.of(cluster.managerAddress()),
            ManagerAuthority.administrator(cluster.managerDirectory()))) {
      admin.revoke(server);
    }
  }

  @Test
  void aLostCaIsReportedAndNotReplacedUnasked() throws Exception {
    start("127.0.0.1", with("own-ca", "true")).close();
    X509Certificate lost = authority();
    Path certificates = ring().resolve("manager/certificates");
    Files.move(certificates.resolve("authority"), folder.resolve("elsewhere"));
    assertThatThrownBy(() -> start("127.0.0.1", with()))
        .isInstanceOf(StartFailed.class)
        .hasMessageContaining("certificates/authority' is missing; restore it from a copy");
    // Its operator wants a new one.
    Files.move(certificates, folder.resolve("moved"));
    try (EmbeddedCluster cluster = start("127.0.0.1", with())) {
      assertThat(cluster.hasOwnCa()).isTrue();
      assertThat(authority()).isNotEqualTo(lost);
      assertThat(read(cluster)).isNull();
    }
  }

  @Test
  void aDamagedCaIsReported() throws Exception {
    Path identity = ring().resolve("manager/certificates/authority/identity.pem");
    Files.createDirectories(identity.getParent());
    Files.writeString(identity, "no certificate");
    assertThatThrownBy(() -> start("127.0.0.1", with()))
        .isInstanceOf(StartFailed.class)
        .hasMessageContaining("the cluster's CA cannot be used")
        .hasMessageContaining(identity.toString());
    assertThat(Files.readString(identity)).isEqualTo("no certificate");
  }
}
