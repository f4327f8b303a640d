// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.server.Access;
import io.forebay.server.ServerConfig;
import io.forebay.wire.Address;
import io.forebay.wire.ConnectionBounds;
import io.forebay.wire.Limit;
import io.forebay.wire.UserBounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
  @TempDir private Path directory;

  private Path file(String... lines) throws IOException {
    return Files.write(directory.resolve("forebay.conf"), List.of(lines));
  }

  private static Settings server(Path file, Map<String, String> options)
      throws BadSetting, IOException {
    return Settings.read(Keys.SERVER, file, options);
  }

  private void assertRefused(String line, String... parts) throws IOException {
    Path file = file("# a comment", "", line);
    assertThatThrownBy(() -> server(file, Map.of()))
        .isInstanceOf(BadSetting.class)
        .hasMessageContaining("forebay.conf' line 3")
        .hasMessageContainingAll(parts);
  }

  @Test
  void standardValuesAreAllowedOnes() throws BadSetting, IOException {
    for (List<Key<?>> keys : List.of(Keys.SERVER, Keys.MANAGER, Keys.UP)) {
      Settings settings = Settings.read(keys, null, Map.of());
      for (Key<?> key : keys) {
        if (key.standard() != null) assertThat(settings.find(key)).isNotNull();
        assertThat(key.meaning()).endsWith(".");
      }
      assertThat(keys.stream().map(Key::name)).doesNotHaveDuplicates();
    }
  }

  @Test
  void optionsCountBeforeLinesAndTheseBeforeStandardValues() throws BadSetting, IOException {
    Path file = file("seats = 4  # as many as cores", "memory=2GiB", "dir = /data/#1");
    Settings settings = server(file, Map.of("seats", "5"));
    assertThat(settings.get(Keys.SEATS)).isEqualTo(5);
    assertThat(settings.get(Keys.MEMORY)).isEqualTo(2L << 30);
    assertThat(settings.get(Keys.DIR)).isEqualTo(Path.of("/data/#1"));
    assertThat(settings.get(Keys.WEIGHT)).isEqualTo(1);
    assertThat(settings.isGiven(Keys.WEIGHT)).isFalse();
    assertThat(settings.find(Keys.SERVER_NAME)).isNull();
  }

  @Test
  void addressesAndTimesAreRead() throws BadSetting, IOException {
    Path file = file("managers = 127.0.0.1:7070, [::1]:7071");
    assertThat(server(file, Map.of()).get(Keys.MANAGERS))
        .containsExactly(new Address.Inet("127.0.0.1", 7070), new Address.Inet("::1", 7071));
    assertThat(Settings.read(Keys.MANAGER, null, Map.of("wait", "500 ms")).get(Keys.WAIT))
        .isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void wrongLinesAreNamedWithWhatIsAllowed() throws IOException {
    assertRefused("seats = 65", "'seats'", "'65'", "a whole number from 1 to 64");
    assertRefused("memory = much", "'memory'", "'much'", "a size such as 64MiB");
    assertRefused("segment = 1KiB", "'segment'", "from 512 KiB to 1 GiB");
    assertRefused("insecure = yes", "'insecure'", "true or false");
    assertRefused("listen = unix:/x", "'listen'", "an address such as 127.0.0.1:7070");
    assertRefused("log-level = loud", "one of error, warn, info, debug");
    assertRefused("seat = 1", "no key 'seat'", "seats");
    assertRefused("seats 1", "'seats 1' is not of the form key = value");
  }

  @Test
  void aKeyStandsOnce() throws IOException {
    Path file = file("seats = 1", "seats = 2");
    assertThatThrownBy(() -> server(file, Map.of()))
        .hasMessageContainingAll("line 2", "'seats' is set in", "line 1");
  }

  @Test
  void wrongOptionsAreNamed() {
    assertThatThrownBy(() -> server(null, Map.of("seats", "0")))
        .hasMessage("option '--seats': 'seats' cannot be '0'; it is a whole number from 1 to 64");
    assertThatThrownBy(() -> server(null, Map.of()).get(Keys.DIR))
        .hasMessage("'dir' is missing; give --dir DIR or a line in the configuration file");
  }

  @Test
  void theDocumentationHasTheTables() throws IOException {
    Path documentation = projectRoot().resolve("docs/configuration.md");
    assertThat(Files.readString(documentation))
        .as("docs/configuration.md has the tables that KeyTable.markdown makes")
        .contains(KeyTable.markdown(Keys.MANAGER))
        .contains(KeyTable.markdown(Keys.SERVER))
        .contains(KeyTable.markdown(Keys.UP));
  }

  @Test
  void theDocumentHasAllLimits() throws IOException {
    String document = Files.readString(projectRoot().resolve("docs/security.md"));
    assertThat(document)
        .as("docs/security.md has the table that Limit.markdown makes")
        .contains(Limit.markdown());
  }

  @Test
  void serversKeepSomeConnectionsForThemselves() throws BadSetting, IOException {
    Settings usual = Settings.read(Keys.MANAGER, null, Map.of("dir", "x"));
    assertThat(Access.from(usual).bounds()).isEqualTo(ConnectionBounds.DEFAULT);
    Map<String, String> more =
        Map.of(
            "connections",
            "10000",
            "connections-per-address",
            "9",
            "connections-per-user",
            "8",
            "dir",
            "x",
            "sessions-per-user",
            "7",
            "trees-per-user",
            "6",
            "open-files",
            "50");
    Settings changed = Settings.read(Keys.SERVER, null, more);
    ConnectionBounds bounds = Access.from(changed).bounds();
    assertThat(bounds.connections()).isEqualTo(10_000);
    assertThat(bounds.perAddress()).isEqualTo(9);
    assertThat(bounds.perUser()).isEqualTo(8);
    assertThat(ServerConfig.from(changed).users()).isEqualTo(new UserBounds(7, 6, 50));
    assertThat(ServerConfig.from(Settings.read(Keys.SERVER, null, Map.of("dir", "x"))).users())
        .isEqualTo(UserBounds.DEFAULT);
    for (String key : List.of("sessions-per-user", "trees-per-user")) {
      assertThatThrownBy(() -> Settings.read(Keys.SERVER, null, Map.of(key, "0")))
          .isInstanceOf(BadSetting.class)
          .hasMessageContaining(key)
          .hasMessageContaining("from 1 to 65536");
    }
    Settings none = Settings.read(Keys.SERVER, null, Map.of("connections", "3000"));
    assertThatThrownBy(() -> Access.from(none))
        .isInstanceOf(BadSetting.class)
        .hasMessageContaining("client-connections is 3072, and must be less than connections");
  }

  private static Path projectRoot() {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("LICENSE"))) at = at.getParent();
    return at;
  }
}
