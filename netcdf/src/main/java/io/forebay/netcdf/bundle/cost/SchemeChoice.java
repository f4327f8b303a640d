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
 *   <li>Before the first step the cost model's predictions count, without the store.
 *   <li>The first step tells what the store costs, and the predictions are made anew. Its own time
 *       is not counted: it is that of code and memory which are used for the first time.
 *   <li>A scheme that was measured is expected to take the shortest of its last times, since
 *       disturbances only lengthen a step. The best of these is taken; BPS as long as there are
 *       none, since it needs the least memory.
 *   <li>A scheme that was not measured is expected to take its prediction, corrected by how much
 *       longer the measured ones took than predicted. It is taken if it is clearly faster.
 *   <li>Every eighth step tries a scheme that may be the fastest within the model's error and was
 *       measured less than twice; once is not enough, since that step may have been disturbed. A
 *       try may cost the model's error and new memory, a few percent of eight steps.
 * </ol>
 *
 * Owned by one rank's thread.
 */
public final class SchemeChoice {
  /** How many of a scheme's times count. */
  private static final int TIMES_KEPT = 4;

  /** Predictions that differ less are taken for the same. */
  private static final double CLEARLY_FASTER = 0.9;

  /** A scheme is tried if the model says that it is at most this much slower than the best. */
  private static final double MODEL_ERROR = 1.25;

  /** One of this many steps may be a try. */
  private static final int TRY_STEPS = 8;

  /** A scheme that was measured as often as this is not tried. */
  private static final int TRIES = 2;

  private final StepLoads loads;
  private final MachineCosts costs;
  private final Map<Scheme, Deque<Long>> measured = new EnumMap<>(Scheme.class);
  private Map<Scheme, Double> predicted;
  private int steps;

  /** Chooses among the schemes that have loads, on a machine whose store is not known yet. */
  SchemeChoice(StepLoads loads, MachineCosts costs) {
    this.loads = loads;
    this.costs = costs;
    predicted = loads.nanos(costs);
    if (predicted.isEmpty()) throw new IllegalArgumentException("no scheme to choose from");
  }

  /** The scheme of the next step. */
  public Scheme next() {
    Scheme best = bestMeasured();
    double nanos = expectedNanos().getOrDefault(best, Long.MAX_VALUE);
    boolean mayTry = steps > 0 && steps % TRY_STEPS == 0;
    return mayTry
        ? instead(best, nanos * MODEL_ERROR, TRIES)
        : instead(best, nanos * CLEARLY_FASTER, 1);
  }

  private Scheme bestMeasured() {
    Scheme best = Scheme.BPS;
    long least = Long.MAX_VALUE;
    for (Map.Entry<Scheme, Deque<Long>> each : measured.entrySet()) {
      long nanos = Collections.min(each.getValue());
      if (nanos >= least) continue;
      best = each.getKey();
      least = nanos;
    }
    return best;
  }

  /**
   * A scheme to take instead of the best; the best if there is none.
   *
   * @param nanosMax what it may take by the model
   * @param timesMax it was measured less often than this
   */
  private Scheme instead(Scheme best, double nanosMax, int timesMax) {
    Scheme taken = best;
    int fewest = timesMax;
    double least = Double.MAX_VALUE;
    for (Map.Entry<Scheme, Double> each : predicted.entrySet()) {
      double nanos = each.getValue() * correction();
      int count = times(each.getKey()).size();
      if (nanos > nanosMax || count >= timesMax) continue;
      if (count > fewest || (count == fewest && nanos >= least)) continue;
      taken = each.getKey();
      fewest = count;
      least = nanos;
    }
    return taken;
  }

  private Deque<Long> times(Scheme scheme) {
    return measured.getOrDefault(scheme, new ArrayDeque<>());
  }

  /** What each scheme is expected to take. */
  public Map<Scheme, Long> expectedNanos() {
    double correction = correction();
    Map<Scheme, Long> expected = new EnumMap<>(Scheme.class);
    predicted.forEach(
        (scheme, nanos) -> {
          Deque<Long> times = times(scheme);
          expected.put(
              scheme, times.isEmpty() ? Math.round(nanos * correction) : Collections.min(times));
        });
    return expected;
  }

  /** How much longer steps take than the model says, by the scheme that comes closest to it. */
  private double correction() {
    double least = Double.MAX_VALUE;
    for (Map.Entry<Scheme, Deque<Long>> each : measured.entrySet()) {
      double nanos = predicted.getOrDefault(each.getKey(), 0.0);
      if (nanos > 0) least = Math.min(least, Collections.min(each.getValue()) / nanos);
    }
    return least == Double.MAX_VALUE ? 1 : least;
  }

  /** A step of this scheme took this long, on a store with these costs. */
  public void measured(Scheme scheme, long nanos, StoreCosts store) {
    steps++;
    if (steps == 1) {
      predicted = loads.nanos(costs.withStore(store));
      return;
    }
    Deque<Long> times = measured.computeIfAbsent(scheme, none -> new ArrayDeque<>());
    times.addLast(nanos);
    if (times.size() > TIMES_KEPT) times.removeFirst();
  }
}
