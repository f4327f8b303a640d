// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.simulate;

import io.forebay.simulation.Scenario;
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

/**
 * Scenarios in sequence, on several threads, each of which plays whole seeds. Ends at the first
 * failure.
 */
final class Campaign {
  private final SplittableRandom seeds;
  private final BooleanSupplier more;
  private final Consumer<SimulationRun.Outcome> listener;
  private boolean failed;

  /**
   * A campaign over the seeds that follow from a first one.
   *
   * @param more asked before each seed whether to continue; by one thread at a time
   * @param listener gets every outcome; by one thread at a time
   */
  Campaign(long first, BooleanSupplier more, Consumer<SimulationRun.Outcome> listener) {
    this.seeds = new SplittableRandom(first);
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
      throw new IllegalStateException("a simulation has ended by an error", e.getCause());
    }
  }

  private void work() {
    while (true) {
      long seed;
      synchronized (this) {
        if (failed || !more.getAsBoolean()) return;
        seed = seeds.nextLong();
      }
      SimulationRun.Outcome outcome = Scenario.of(seed).play();
      synchronized (this) {
        failed |= !outcome.problems().isEmpty();
        listener.accept(outcome);
      }
    }
  }
}
