package io.forebay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Seeds that once failed, each with why, are played again. */
@Execution(ExecutionMode.CONCURRENT)
class FailedSeedsTest {
  @ParameterizedTest
  @CsvFileSource(resources = "failed-seeds.csv", numLinesToSkip = 1)
  void failNoLonger(long seed, String why) {
    assertThat(Scenario.of(seed).play().problems())
        .as("seed %d, which showed: %s", seed, why)
        .isEmpty();
  }
}
