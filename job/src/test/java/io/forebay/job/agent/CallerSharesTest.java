// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallerSharesTest {
  private final CallerShares shares = new CallerShares(2);

  @Test
  void aUserTakesItsShareAndNotThatOfOthers() {
    assertThat(shares.take("alice")).isTrue();
    assertThat(shares.take("alice")).isTrue();
    assertThat(shares.take("alice")).isFalse();
    assertThat(shares.take("bob")).isTrue();
  }

  @Test
  void whatIsGivenBackCanBeTakenAgain() {
    assertThat(shares.take("alice")).isTrue();
    assertThat(shares.take("alice")).isTrue();
    shares.giveBack("alice");
    assertThat(shares.take("alice")).isTrue();
    assertThat(shares.take("alice")).isFalse();
  }
}
