// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.enrol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.proof.MungeProgram;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the environment lets a client prove its user. */
class EnvironmentTlsTest {
  private static final String MUNGE = "munge";

  @TempDir private Path home;

  private EnvironmentTls of(Map<String, String> environment) {
    return new EnvironmentTls(environment, home, CertificateName.user(1000));
  }

  @Test
  void mungeNeedsTheCaAndNoCertificate() throws IOException {
    EnvironmentTls munge =
        of(Map.of("FOREBAY_PROOF", MUNGE, "FOREBAY_TLS_CA", "/ca", "FOREBAY_TOKEN", "x"));
    assertThat(munge.settings(List.of()))
        .as("a token is not looked at")
        .isEqualTo(TlsSettings.verifying(Path.of("/ca"), null));
    assertThat(munge.credentials()).isInstanceOf(MungeProgram.class);
    EnvironmentTls without = of(Map.of("FOREBAY_PROOF", MUNGE));
    Path stored = home.resolve(".forebay/ca.pem");
    assertThatThrownBy(() -> without.settings(List.of()))
        .hasMessageContaining("FOREBAY_TLS_CA")
        .hasMessageContaining(stored.toString());
    Files.createDirectory(stored.getParent());
    Files.createFile(stored);
    assertThat(without.settings(List.of())).isEqualTo(TlsSettings.verifying(stored, null));
  }

  @Test
  void aCertificateCountsMore() throws IOException {
    EnvironmentTls both =
        of(
            Map.of(
                "FOREBAY_PROOF",
                "munge:/run/other.socket",
                "FOREBAY_TLS_CA",
                "/ca",
                "FOREBAY_TLS_CERTIFICATE",
                "/c",
                "FOREBAY_TLS_KEY",
                "/k"));
    assertThat(both.settings(List.of()))
        .isEqualTo(new TlsSettings(Path.of("/c"), Path.of("/k"), Path.of("/ca")));
    assertThat(both.credentials()).isNull();
  }

  @Test
  void otherProofsAreRefused() {
    for (String wrong : List.of("kerberos", "munge:relative", "munge:")) {
      EnvironmentTls tls = of(Map.of("FOREBAY_PROOF", wrong, "FOREBAY_TLS_CA", "/ca"));
      assertThatThrownBy(() -> tls.settings(List.of()))
          .hasMessageContaining("FOREBAY_PROOF is '" + wrong + "'");
    }
    assertThat(of(Map.of("FOREBAY_PROOF", " ")))
        .satisfies(tls -> assertThat(tls.credentials()).isNull());
  }
}
