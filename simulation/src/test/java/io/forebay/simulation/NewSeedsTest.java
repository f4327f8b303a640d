// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.MonotonicClock;
import io.forebay.testing.TestSeed;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Seeds that follow from the committed sources, or new ones if they are not known, for half a
 * minute on all processors; {@code -Dforebay.simulation.minutes=} for longer.
 */
class NewSeedsTest {
  private static final double MINUTES =
      Double.parseDouble(System.getProperty("forebay.simulation.minutes", "0.5"));
  private static final int FAULTS_MIN = 5;
  private static final int MANAGED_ONE_IN = 4;

  private final MonotonicClock clock = MonotonicClock.system();
  private final long endNanos = clock.nanos() + (long) (MINUTES * 60e9);
  private final SplittableRandom seeds = TestSeed.series("NewSeedsTest");
  private final List<SimulationRun.Outcome> outcomes = new ArrayList<>();
  private final Set<Long> known = openSeeds();
  private boolean failed;

  @Test
  void keepEverythingPromised() throws InterruptedException, ExecutionException {
    int threads = Runtime.getRuntime().availableProcessors();
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> working = new ArrayList<>();
      for (int i = 0; i < threads; i++) working.add(workers.submit(this::play));
      for (Future<?> each : working) each.get();
    }
    assertThat(outcomes).isNotEmpty();
    System.out.println("new seeds: " + outcomes.stream().map(SimulationRun.Outcome::seed).toList());
    for (SimulationRun.Outcome outcome : outcomes) {
      assertThat(outcome.problems())
          .as("seed %d: %s", outcome.seed(), scenarioOf(outcome.seed()).describe())
          .isEmpty();
      assertThat(outcome.operations()).isGreaterThanOrEqualTo(Scenario.OPERATIONS);
      assertThat(outcome.faultCount()).isGreaterThanOrEqualTo(FAULTS_MIN);
    }
  }

  /** Seeds whose failure is known and has no fix yet; docs/reliability.md tells of each. */
  private static Set<Long> openSeeds() {
    try (InputStream in = NewSeedsTest.class.getResourceAsStream("open-seeds.csv")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .skip(1)
          .map(line -> Long.valueOf(line.substring(0, line.indexOf(','))))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void play() {
    while (true) {
      long seed;
      synchronized (seeds) {
        if (failed || clock.nanos() - endNanos >= 0) return;
        seed = seeds.nextLong();
        if (known.contains(seed)) continue;
      }
      SimulationRun.Outcome outcome = outcomeOf(seed);
      synchronized (seeds) {
        outcomes.add(outcome);
        failed |= !outcome.problems().isEmpty();
      }
    }
  }

  /** Every fourth is played with three managers: {@code simulate --managers --seed}. */
  private static Scenario scenarioOf(long seed) {
    Scenario scenario = Scenario.of(seed);
    return seed % MANAGED_ONE_IN == 0 ? scenario.withManagers() : scenario;
  }

  private static SimulationRun.Outcome outcomeOf(long seed) {
    try {
      return scenarioOf(seed).play();
    } catch (RuntimeException | Error e) {
      throw new IllegalStateException("seed " + seed + " has ended by an error", e);
    }
  }
}
