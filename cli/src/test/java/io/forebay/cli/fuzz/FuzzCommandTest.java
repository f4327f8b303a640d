// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.cli.CommandOutcome;
import io.forebay.testing.TestSeed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FuzzCommandTest {
  @Test
  @Timeout(300)
  void nothingThatIsSentEndsAProcess() {
    String minutes = System.getProperty("forebay.fuzz.minutes", "0.15");
    String seed = String.valueOf(TestSeed.first("FuzzCommandTest"));
    System.out.println("FuzzCommandTest: -Dforebay.seed=" + seed);
    CommandOutcome outcome = CommandOutcome.run("fuzz", "--minutes", minutes, "--seed", seed);
    assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
    assertThat(outcome.out()).contains("nothing failed", "every process runs");
  }

  @Test
  void whatMakesNoSenseIsSaid() {
    assertThat(CommandOutcome.run("fuzz", "--minutes", "0").err())
        .contains("--minutes must be more than 0");
  }
}
