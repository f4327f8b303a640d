// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.metrics;

import io.forebay.metrics.Metric;
import io.forebay.metrics.Samples;
import io.forebay.metrics.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The figures of several loops. They are asked together, each answers between two of its rounds,
 * and one that does not answer in time is shown as such: it has failed, or hangs.
 */
public final class LoopSource<T> implements Source {
  static final Metric ANSWERS =
      Metric.gauge(
          "forebay_loop_answers",
          "Whether the thread of a seat or manager answers within a second.",
          "process",
          "loop");

  /** How long a scrape waits for all loops together. */
  static final long ANSWER_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  /** Adds the samples of what a loop has answered. */
  public interface Shown<T> {
    void show(Samples to, T figures);
  }

  /**
   * A loop.
   *
   * @param process the name of the server or manager
   * @param name that of the loop in it
   */
  public record Asked<T>(
      String process, String name, Supplier<CompletableFuture<T>> asking, Shown<T> shown) {}

  /** A question that a loop has not answered yet stays its only one. */
  private static final class Loop<T> {
    final Asked<T> asked;
    @Nullable CompletableFuture<T> pending;

    Loop(Asked<T> asked) {
      this.asked = asked;
    }
  }

  private final List<Loop<T>> loops = new ArrayList<>();

  public LoopSource(List<Asked<T>> all) {
    for (Asked<T> each : all) loops.add(new Loop<>(each));
  }

  @Override
  public synchronized void collect(Samples to) {
    long startNanos = System.nanoTime();
    for (Loop<T> loop : loops) {
      if (loop.pending == null) loop.pending = loop.asked.asking().get();
    }
    for (Loop<T> loop : loops) {
      long leftNanos = ANSWER_NANOS_MAX - (System.nanoTime() - startNanos);
      T figures = answer(loop, Math.max(0, leftNanos));
      to.add(ANSWERS, Reading.flag(figures != null), loop.asked.process(), loop.asked.name());
      if (figures != null) loop.asked.shown().show(to, figures);
    }
  }

  private static <T> @Nullable T answer(Loop<T> loop, long timeoutNanos) {
    CompletableFuture<T> pending = loop.pending;
    if (pending == null) return null;
    try {
      T figures = pending.get(timeoutNanos, TimeUnit.NANOSECONDS);
      loop.pending = null;
      return figures;
    } catch (TimeoutException late) {
      return null;
    } catch (ExecutionException broken) {
      loop.pending = null;
      throw new IllegalStateException("the figures of " + loop.asked.name(), broken.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
