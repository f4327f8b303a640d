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
    assertThat(Scenario.of(seed).play().problems()).as(sentence(seed, why)).isEmpty();
  }

  /** What the seeds of before there was draining stood for when they failed. */
  @ParameterizedTest
  @CsvFileSource(resources = "failed-seeds.csv", numLinesToSkip = 1)
  void failNoLongerWithoutDraining(long seed, String why) {
    Scenario scenario = Scenario.of(seed);
    if (!scenario.drained()) return; // Played above.
    assertThat(scenario.withoutDraining().play().problems()).as(sentence(seed, why)).isEmpty();
  }

  private static String sentence(long seed, String why) {
    return "seed %d, which showed: %s".formatted(seed, why);
  }
}
