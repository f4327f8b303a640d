// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.testing.TestSeed;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/** Runs of random seeds, each printed, or of the one given with {@code -Dforebay.seed}. */
public final class SeededRuns {
  /** What else must be so after a run in which nothing was wrong. */
  public interface Check {
    void check(SimulationRun run, SimulationRun.Outcome outcome);
  }

  private SeededRuns() {}

  public static void each(int seeds, LongConsumer run) {
    long first = TestSeed.first("SeededRuns");
    SplittableRandom draw = new SplittableRandom(first);
    for (int i = 0; i < TestSeed.runs(seeds); i++) {
      long seed = i == 0 ? first : draw.nextLong();
      System.out.println("simulation: -Dforebay.seed=" + seed);
      run.accept(seed);
    }
  }

  public static void check(
      int seeds, LongFunction<SimulationRun> prepared, int operations, boolean forced, Check also) {
    each(
        seeds,
        seed -> {
          SimulationRun run = prepared.apply(seed);
          SimulationRun.Outcome outcome = run.run(operations, forced);
          assertThat(outcome.problems()).as("seed %d", seed).isEqualTo(List.of());
          also.check(run, outcome);
        });
  }
}
