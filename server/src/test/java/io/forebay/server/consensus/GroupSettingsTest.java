// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.Bytes;
import io.forebay.server.ManagerProcess;
import io.forebay.server.settings.BadSetting;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import io.forebay.wire.Address;
import io.forebay.wire.authority.JoinToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What makes a manager one of several. */
class GroupSettingsTest {
  private static GroupOptions group(Map<String, String> given) throws BadSetting, IOException {
    Map<String, String> settings = new HashMap<>(given);
    settings.put("dir", "/var/lib/forebay/manager");
    return ManagerProcess.Config.from(Settings.read(Keys.MANAGER, null, settings)).group();
  }

  @Test
  void withoutAnAddressForOthersItIsAlone() throws Exception {
    assertThat(group(Map.of())).isNull();
    assertThatThrownBy(() -> group(Map.of("managers", "a:7070")))
        .isInstanceOf(BadSetting.class)
        .hasMessageContaining("managers")
        .hasMessageContaining("peer-listen is not set");
    assertThatThrownBy(() -> group(Map.of("manager-name", "m1")))
        .hasMessageContaining("manager-name");
  }

  @Test
  void itsNameHasWhatDiffersBetweenManagersOfOneHost() throws Exception {
    GroupOptions named = group(Map.of("peer-listen", "a:7069", "manager-name", "m1"));
    assertThat(named.name()).isEqualTo("m1");
    assertThat(named.listen()).isEqualTo(new Address.Inet("a", 7069));
    assertThat(named.managers()).isEmpty();
    GroupOptions usual = group(Map.of("peer-listen", "a:7069", "managers", "b:7070,c:7070"));
    assertThat(usual.name()).matches("[A-Za-z0-9._-]{1,64}").endsWith("-manager");
    assertThat(usual.managers()).hasSize(2);
  }

  /** No option is without effect. */
  @Test
  void aTokenIsForOneThatJoinsOthers() {
    JoinToken token =
        new JoinToken(
            JoinToken.sha256(new byte[1]), Bytes.copyOf(new byte[JoinToken.SECRET_BYTES]));
    assertThatThrownBy(() -> group(Map.of("token", token.text(), "peer-listen", "a:7069")))
        .isInstanceOf(BadSetting.class)
        .hasMessageContaining("managers is not set");
  }
}
