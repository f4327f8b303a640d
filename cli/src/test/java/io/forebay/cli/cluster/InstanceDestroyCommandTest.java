// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InstanceDestroyCommandTest {
  @Test
  void whoWaitsForAStoreThatIsGoneIsToldHowToDiscard() {
    assertThat(InstanceDestroyCommand.stuck(2, "the directory is not there", "run"))
        .isEqualTo(
            "2 files not drained: the directory is not there; the drain continues when that is fixed, and"
                + " 'forebay instance destroy run --discard' gives up what is not drained");
  }

  @Test
  void theEndIsTold() {
    assertThat(InstanceDestroyCommand.done("run", false, false)).isEqualTo("'run' is destroyed");
    assertThat(InstanceDestroyCommand.done("run", true, false)).contains("what was not drained");
    assertThat(InstanceDestroyCommand.done("run", false, true))
        .contains("ends when all is drained");
  }
}
