// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.ending;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndWatchTest {
  @Test
  void aStoreThatIsGoneIsToldWithTheWayToDiscard() {
    assertThat(EndWatch.stuck(2, "the directory is not there", "run"))
        .isEqualTo(
            "2 files not drained: the directory is not there; the drain continues when that is fixed, and"
                + " 'forebay instance destroy run --discard' gives up what is not drained");
  }
}
