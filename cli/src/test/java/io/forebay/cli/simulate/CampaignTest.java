// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.simulate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CampaignTest {
  private static final long FIRST = 7;

  @Test
  void anErrorNamesItsSeedAndEndsTheCampaign() {
    long seed = new SplittableRandom(FIRST).nextLong();
    Campaign campaign =
        new Campaign(
            FIRST,
            each -> {
              throw new AssertionError("an audit is broken");
            },
            () -> true,
            outcome -> {});
    assertThatThrownBy(() -> campaign.run(1))
        .hasMessage(
            "seed %d has ended by an error: java.lang.AssertionError: an audit is broken", seed);
  }
}
