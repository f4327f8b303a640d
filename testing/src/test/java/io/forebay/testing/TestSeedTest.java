// SPDX-License-Identifier: Apache-2.0

package io.forebay.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TestSeedTest {
  @Test
  void aSeriesGivesATestTheSameSeedsAgain() {
    long seed = TestSeed.series("commit", "ATest").nextLong();
    assertThat(TestSeed.series("commit", "ATest").nextLong()).isEqualTo(seed);
    assertThat(TestSeed.series("commit", "BTest").nextLong()).isNotEqualTo(seed);
    assertThat(TestSeed.series("another", "ATest").nextLong()).isNotEqualTo(seed);
  }

  @Test
  void withoutASeriesSeedsAreNew() {
    assertThat(TestSeed.series(null, "ATest").nextLong())
        .isNotEqualTo(TestSeed.series("", "ATest").nextLong());
  }
}
