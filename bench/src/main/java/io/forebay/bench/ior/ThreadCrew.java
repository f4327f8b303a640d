// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Tasks as threads of this process. */
final class ThreadCrew implements Crew {
  /** Another task has failed, and this failure need not be reported. */
  private static final class Abandoned extends IOException {
    private static final long serialVersionUID = 1;

    Abandoned() {
      super("another task has failed");
    }
  }

  private final CyclicBarrier barrier;
  private final ExecutorService threads;
  private final List<Rank> ranks = new ArrayList<>();

  ThreadCrew(IorPlan plan, IorTarget target) throws IOException {
    int tasks = plan.layout().tasks();
    barrier = new CyclicBarrier(tasks);
    threads =
        Executors.newFixedThreadPool(
            tasks, Thread.ofPlatform().daemon().name("rank-", 0).factory());
    try {
      for (int i = 0; i < tasks; i++) ranks.add(new Rank(plan, target, i, this::meet));
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  public List<RankTimes> run(Phase phase) throws IOException, InterruptedException {
    List<Callable<RankTimes>> parts = new ArrayList<>();
    for (Rank rank : ranks) parts.add(() -> run(rank, phase));
    List<RankTimes> times = new ArrayList<>();
    IOException failure = null;
    for (Future<RankTimes> part : threads.invokeAll(parts)) {
      try {
        times.add(part.get());
      } catch (ExecutionException e) {
        failure = worse(failure, e.getCause());
      }
    }
    if (failure != null) throw failure;
    return times;
  }

  private RankTimes run(Rank rank, Phase phase) throws IOException {
    boolean done = false;
    try {
      RankTimes times = rank.run(phase);
      done = true;
      return times;
    } finally {
      // The tasks that wait for this one would wait forever.
      if (!done) barrier.reset();
    }
  }

  private static IOException worse(@Nullable IOException known, @Nullable Throwable other) {
    if (known != null && !(known instanceof Abandoned)) return known;
    return other instanceof IOException io ? io : new IOException(other);
  }

  private void meet() throws IOException {
    try {
      barrier.await();
    } catch (BrokenBarrierException e) {
      throw new Abandoned();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    for (Rank rank : ranks) rank.close();
  }
}
