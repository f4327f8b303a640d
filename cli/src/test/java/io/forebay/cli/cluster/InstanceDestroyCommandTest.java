// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InstanceDestroyCommandTest {
  @Test
  void theEndIsTold() {
    assertThat(InstanceDestroyCommand.done("run", false, false)).isEqualTo("'run' is destroyed");
    assertThat(InstanceDestroyCommand.done("run", true, false)).contains("what was not drained");
    assertThat(InstanceDestroyCommand.done("run", false, true))
        .contains("ends when all is staged out and drained");
  }
}
