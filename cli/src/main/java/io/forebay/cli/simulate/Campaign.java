// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.simulate;

import io.forebay.simulation.SimulationRun;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Scenarios in sequence, on several threads, each of which plays whole seeds. Ends at the first
 * failure.
 */
final class Campaign {
  private final SplittableRandom seeds;
  private final LongFunction<SimulationRun.Outcome> player;
  private final BooleanSupplier more;
  private final Consumer<SimulationRun.Outcome> listener;
  private boolean failed;

  /**
   * A campaign over the seeds that follow from a first one.
   *
   * @param player plays one seed; called by several threads
   * @param more asked before each seed whether to continue; by one thread at a time
   * @param listener gets every outcome; by one thread at a time
   */
  Campaign(
      long first,
      LongFunction<SimulationRun.Outcome> player,
      BooleanSupplier more,
      Consumer<SimulationRun.Outcome> listener) {
    this.seeds = new SplittableRandom(first);
    this.player = player;
    this.more = more;
    this.listener = listener;
  }

  /** Plays until there are no more, or one has failed. */
  void run(int threads) throws InterruptedException {
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> working = new ArrayList<>();
      for (int i = 0; i < threads; i++) working.add(workers.submit(this::work));
      for (Future<?> each : working) each.get();
    } catch (ExecutionException e) {
      // Its message names the seed.
      throw e.getCause() instanceof IllegalStateException named
          ? named
          : new IllegalStateException("a campaign has ended by an error", e.getCause());
    }
  }

  private void work() {
    while (true) {
      long seed;
      synchronized (this) {
        if (failed || !more.getAsBoolean()) return;
        seed = seeds.nextLong();
      }
      SimulationRun.Outcome outcome = play(seed);
      synchronized (this) {
        failed |= !outcome.problems().isEmpty();
        listener.accept(outcome);
      }
    }
  }

  /** An error of the code itself, or of an audit, must not lose the seed that shows it. */
  private SimulationRun.Outcome play(long seed) {
    try {
      return player.apply(seed);
    } catch (RuntimeException | Error e) {
      synchronized (this) {
        failed = true;
      }
      throw new IllegalStateException("seed " + seed + " has ended by an error: " + e, e);
    }
  }
}
