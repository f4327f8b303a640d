// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.cost;

import io.forebay.netcdf.bundle.partition.Scheme;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;

/**
 * Takes the scheme that is expected to be the fastest. All ranks feed it the same numbers, so they
 * take the same one without a message:
 *
 * <ol>
 *   <li>Before the first step the cost model's predictions count.
 *   <li>The first step is not counted: its time is that of code and memory which are used for the
 *       first time.
 *   <li>A scheme that was measured is expected to take the shortest of its last times, since
 *       disturbances only lengthen a step.
 *   <li>One that was not is expected to take its prediction, corrected by how much longer the
 *       measured ones took than predicted. It is tried if it may be the fastest within the model's
 *       error.
 *   <li>Such a scheme is also tried again after some steps if it was measured only once: that step
 *       may have been disturbed.
 * </ol>
 *
 * Owned by one rank's thread.
 */
public final class SchemeChoice {
  /** How many of a scheme's times count. */
  private static final int TIMES_KEPT = 4;

  /** A scheme that was never measured is tried if it may be this much slower than the best. */
  private static final double MODEL_ERROR = 1.25;

  /** How often a scheme that was measured once may be tried again. */
  private static final int TRIED_AGAIN_STEPS = 8;

  private final Map<Scheme, Double> predicted;
  private final Map<Scheme, Deque<Long>> measured = new EnumMap<>(Scheme.class);
  private int steps;

  /** Chooses among the schemes that have a prediction, in nanoseconds. */
  public SchemeChoice(Map<Scheme, Double> predicted) {
    this.predicted = new EnumMap<>(predicted);
    if (predicted.isEmpty()) throw new IllegalArgumentException("no scheme to choose from");
  }

  /** The scheme of the next step. */
  public Scheme next() {
    Map<Scheme, Long> expected = expectedNanos();
    Map.Entry<Scheme, Long> best =
        Collections.min(expected.entrySet(), Map.Entry.comparingByValue());
    if (measured.isEmpty()) return best.getKey();
    double limit = best.getValue() * MODEL_ERROR;
    for (Map.Entry<Scheme, Double> each : predicted.entrySet()) {
      Scheme scheme = each.getKey();
      if (each.getValue() * correction() <= limit && isToBeTried(scheme)) return scheme;
    }
    return best.getKey();
  }

  private boolean isToBeTried(Scheme scheme) {
    Deque<Long> times = measured.get(scheme);
    if (times == null) return true;
    return times.size() == 1 && steps % TRIED_AGAIN_STEPS == 0;
  }

  /** What each scheme is expected to take. */
  public Map<Scheme, Long> expectedNanos() {
    double correction = correction();
    Map<Scheme, Long> expected = new EnumMap<>(Scheme.class);
    predicted.forEach(
        (scheme, nanos) -> {
          Deque<Long> times = measured.get(scheme);
          long least = times == null ? Long.MAX_VALUE : shortest(times);
          expected.put(scheme, times == null ? Math.round(nanos * correction) : least);
        });
    return expected;
  }

  private static long shortest(Deque<Long> times) {
    long shortest = Long.MAX_VALUE;
    for (long time : times) shortest = Math.min(shortest, time);
    return shortest;
  }

  /** How much longer steps take than the model says, by the scheme that comes closest to it. */
  private double correction() {
    double least = Double.MAX_VALUE;
    for (Map.Entry<Scheme, Deque<Long>> each : measured.entrySet()) {
      double nanos = predicted.getOrDefault(each.getKey(), 0.0);
      if (nanos > 0) least = Math.min(least, shortest(each.getValue()) / nanos);
    }
    return least == Double.MAX_VALUE ? 1 : least;
  }

  /** A step of this scheme took this long. */
  public void measured(Scheme scheme, long nanos) {
    steps++;
    if (steps == 1) return;
    Deque<Long> times = measured.computeIfAbsent(scheme, none -> new ArrayDeque<>());
    times.addLast(nanos);
    if (times.size() > TIMES_KEPT) times.removeFirst();
  }
}
