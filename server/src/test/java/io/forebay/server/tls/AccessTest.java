// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.server.Access;
import io.forebay.server.ManagerProcess;
import io.forebay.server.StartFailed;
import io.forebay.server.settings.BadSetting;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings that decide how peers reach a process. */
class AccessTest {
  @TempDir Path folder;

  private Settings settings(String... keysAndValues) throws BadSetting, IOException {
    Map<String, String> options = new HashMap<>(Map.of("dir", folder.resolve("m").toString()));
    for (int i = 0; i < keysAndValues.length; i += 2) {
      options.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return Settings.read(Keys.MANAGER, null, options);
  }

  @Test
  void withoutKeysThereIsNoTls() throws BadSetting, IOException {
    assertThat(Access.from(settings())).isEqualTo(Access.LOCAL);
  }

  @Test
  void allFilesAreNeeded() throws BadSetting, IOException {
    Access access =
        Access.from(settings("tls-certificate", "/c", "tls-key", "/k", "tls-ca", "/ca"));
    assertThat(access.tls())
        .isEqualTo(new TlsSettings(Path.of("/c"), Path.of("/k"), Path.of("/ca")));
    Settings half = settings("tls-certificate", "/c", "tls-key", "/k");
    assertThatThrownBy(() -> Access.from(half))
        .isInstanceOf(BadSetting.class)
        .hasMessageContaining("tls-key is set but tls-ca is not");
    Settings nameOnly = settings("tls-peer-name", "ring");
    assertThatThrownBy(() -> Access.from(nameOnly))
        .hasMessageContaining("tls-peer-name is set but");
  }

  @Test
  void insecureAndTlsContradictEachOther() throws BadSetting, IOException {
    Settings both =
        settings("tls-certificate", "/c", "tls-key", "/k", "tls-ca", "/ca", "insecure", "true");
    assertThatThrownBy(() -> Access.from(both))
        .isInstanceOf(BadSetting.class)
        .hasMessageContaining("remove one of them");
  }

  @Test
  void aProcessDoesNotStartWithoutItsFiles() throws BadSetting, IOException {
    String none = folder.resolve("none.pem").toString();
    ManagerProcess.Config config =
        ManagerProcess.Config.from(
            settings(
                "tls-certificate", none, "tls-key", none, "tls-ca", none, "listen", "127.0.0.1:0"));
    assertThatThrownBy(() -> ManagerProcess.start(config))
        .isInstanceOf(StartFailed.class)
        .hasMessageContaining(none + "' does not exist");
  }
}
