// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Seeds that once failed by a fault of the product, each with why, are played again. */
class FailedSeedsTest {
  /** Those that failed before there was draining stand for what they did without it. */
  @ParameterizedTest
  @CsvFileSource(resources = "failed-seeds.csv", numLinesToSkip = 1)
  void failNoLonger(long seed, boolean drained, String why) {
    Scenario scenario = Scenario.of(seed);
    Scenario played = drained ? scenario : scenario.withoutDraining();
    assertThat(played.play().problems()).as(sentence(seed, why)).isEmpty();
  }

  private static String sentence(long seed, String why) {
    return "seed %d, which showed: %s".formatted(seed, why);
  }
}
