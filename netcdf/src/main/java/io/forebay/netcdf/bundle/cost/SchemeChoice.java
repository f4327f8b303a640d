// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.cost;

import io.forebay.netcdf.bundle.partition.Scheme;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes the scheme that is expected to be the fastest. All ranks feed it the same numbers, so they
 * take the same one without a message:
 *
 * <ol>
 *   <li>Before the first step the cost model's predictions count, without the store. BPS is taken
 *       unless they differ by more than the model's error.
 *   <li>The first step tells what the store costs, and the predictions are made anew. Its own time
 *       is not counted: it is that of code and memory which are used for the first time.
 *   <li>A scheme that was measured is expected to take the shortest of its last times, since
 *       disturbances only lengthen a step. The best of these is taken; BPS as long as there are
 *       none, since it needs the least memory.
 *   <li>A scheme that was not measured is expected to take its prediction, corrected by how much
 *       longer the measured ones took than predicted. It is taken if it is clearly faster.
 *   <li>The third step tries the most promising scheme that is predicted to be faster, since models
 *       do not see everything, where the first use of a scheme costs little: where the first step
 *       took hardly longer than the second. The fourth takes it again if it came close.
 *   <li>Every eighth step tries a scheme that may be the fastest within the model's error and was
 *       measured less than twice; once is not enough, since that step may have been disturbed.
 * </ol>
 *
 * <p>A first use pays for memory, plans and links between ranks. Where steps are short, that is
 * more than a faster scheme brings within a few steps.
 *
 * <p>Owned by one rank's thread.
 */
public final class SchemeChoice {
  /** How many of a scheme's times count. */
  private static final int TIMES_KEPT = 4;

  /** Predictions that differ less are taken for the same. */
  private static final double CLEARLY_FASTER = 0.9;

  /** A scheme is tried if the model says that it is at most this much slower than the best. */
  private static final double MODEL_ERROR = 1.25;

  /** Schemes that are predicted to take the same time differ by rounding. */
  private static final double FASTER = 0.999;

  /**
   * What the first use of a scheme may cost, of a step, to be tried early: a scheme that is 5 %
   * faster makes up for it in two steps, as many as there were.
   */
  private static final double FIRST_USE_MAX = 0.1;

  /** After this many steps comes the first try: the first of them is not counted. */
  private static final int EARLY_STEPS = 2;

  /** One of this many steps may be a try. */
  private static final int TRY_STEPS = 8;

  /** A scheme that was measured as often as this is not tried. */
  private static final int TRIES = 2;

  private final StepLoads loads;
  private final MachineCosts costs;
  private final Map<Scheme, Deque<Long>> measured = new EnumMap<>(Scheme.class);
  private Map<Scheme, Double> predicted;
  private int steps;
  private long firstNanos;
  private @Nullable Scheme last;

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
    if (steps == 0) return instead(best, nanos / MODEL_ERROR, 1);
    if (steps == EARLY_STEPS && isFirstUseCheap(nanos)) return instead(best, nanos * FASTER, 1);
    if (steps == EARLY_STEPS + 1) return again(best, nanos * MODEL_ERROR);
    boolean mayTry = steps % TRY_STEPS == 0;
    return mayTry
        ? instead(best, nanos * MODEL_ERROR, TRIES)
        : instead(best, nanos * CLEARLY_FASTER, 1);
  }

  private boolean isFirstUseCheap(double stepNanos) {
    return firstNanos - stepNanos <= stepNanos * FIRST_USE_MAX;
  }

  /** The scheme of the step before if it took at most this long, else the best. */
  private Scheme again(Scheme best, double nanosMax) {
    if (last == null || times(last).isEmpty()) return best;
    return Collections.min(times(last)) <= nanosMax ? last : best;
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
    last = scheme;
    if (steps == 1) {
      firstNanos = nanos;
      predicted = loads.nanos(costs.withStore(store));
      return;
    }
    Deque<Long> times = measured.computeIfAbsent(scheme, none -> new ArrayDeque<>());
    times.addLast(nanos);
    if (times.size() > TIMES_KEPT) times.removeFirst();
  }
}
