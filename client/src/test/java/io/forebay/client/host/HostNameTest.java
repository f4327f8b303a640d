// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.ForebayOptions;
import org.junit.jupiter.api.Test;

class HostNameTest {
  private static final String ONE = "0123456789abcdef0123456789abcdef";
  private static final String TWO = "fedcba9876543210fedcba9876543210";

  @Test
  void machinesOfOneNameAreToldApart() {
    String one = HostName.identity("node", ONE);
    assertThat(one).startsWith("node@").isEqualTo(HostName.identity("node", ONE));
    assertThat(one).isNotEqualTo(HostName.identity("node", TWO)).doesNotContain(ONE);
    assertThat(HostName.identity("other", ONE)).isNotEqualTo(one);
    assertThat(HostName.nameIn(one)).isEqualTo("node");
  }

  @Test
  void withoutAMachineIdTheNameHasToDo() {
    assertThat(HostName.identity("node", "")).isEqualTo("node");
    assertThat(HostName.identity("node", "uninitialized")).isEqualTo("node");
    assertThat(HostName.nameIn("node")).isEqualTo("node");
  }

  @Test
  void itStaysTheSame() {
    assertThat(HostName.identity()).isEqualTo(HostName.identity());
    assertThat(HostName.nameIn(HostName.identity())).isEqualTo(HostName.local());
    assertThat(ForebayOptions.defaults().node()).isEqualTo(HostName.identity());
  }
}
