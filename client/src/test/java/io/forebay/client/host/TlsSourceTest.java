// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.wire.tls.BadTlsFile;
import io.forebay.wire.tls.TlsSettings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the environment says about certificates. */
class TlsSourceTest {
  @Test
  void withoutVariablesThereIsNoTls() throws BadTlsFile {
    assertThat(TlsSource.read(Map.of("FOREBAY_TLS_CA", " "))).isNull();
  }

  @Test
  void allThreeAreNeeded() throws BadTlsFile {
    Map<String, String> all =
        Map.of(TlsSource.CERTIFICATE, "/c", TlsSource.KEY, "/k", TlsSource.CA, "/ca");
    assertThat(TlsSource.read(all))
        .isEqualTo(new TlsSettings(Path.of("/c"), Path.of("/k"), Path.of("/ca")));
    assertThatThrownBy(() -> TlsSource.read(Map.of(TlsSource.CA, "/ca")))
        .isInstanceOf(BadTlsFile.class)
        .hasMessageContaining("FOREBAY_TLS_CA is set but FOREBAY_TLS_CERTIFICATE is not");
    assertThatThrownBy(() -> TlsSource.read(Map.of(TlsSource.PEER_NAME, "ring")))
        .hasMessageContaining("FOREBAY_TLS_PEER_NAME is set but");
  }

  @Test
  void aNameMayBeExpected() throws BadTlsFile {
    Map<String, String> all =
        Map.of(
            TlsSource.CERTIFICATE,
            "/c",
            TlsSource.KEY,
            "/k",
            TlsSource.CA,
            "/ca",
            TlsSource.PEER_NAME,
            "ring.site");
    TlsSettings read = TlsSource.read(all);
    assertThat(read).isNotNull();
    assertThat(read.peerName()).isEqualTo("ring.site");
  }
}
