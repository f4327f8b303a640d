// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.stabilization;

import io.forebay.bench.Benchmark;
import io.forebay.bench.Result;
import io.forebay.bench.Samples;
import io.forebay.simulation.StabilizationCost;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Messages and bytes that a seat sends in a second to watch its neighbours and to be watched, in
 * simulated rings of 4 to 1,024 seats: the same in all, next to the smallest.
 */
public final class StabilizationBenchmark implements Benchmark {
  private static final int[] SEATS = {4, 16, 64, 256, 1024};
  private static final int MEASUREMENTS = 5;
  private static final long SECOND = 1_000_000_000L;
  private static final long LONG_NANOS = 60 * SECOND;
  private static final long QUICK_NANOS = 10 * SECOND;

  /** Flat: no more than in the smallest ring, except for effects at the begin and the end. */
  private static final double RATIO_MAX = 1.1;

  @Override
  public String name() {
    return "stabilization";
  }

  @Override
  public Outcome run(Options options, Progress progress) throws IOException {
    long forNanos = options.quick() ? QUICK_NANOS : LONG_NANOS;
    List<List<StabilizationCost.Cost>> costs = new ArrayList<>();
    for (int ignored : SEATS) costs.add(new ArrayList<>());
    SplittableRandom seeds = new SplittableRandom(options.seed());
    for (int round = 0; round < MEASUREMENTS; round++) {
      for (int i = 0; i < SEATS.length; i++) {
        progress.measuring(SEATS[i] + " seats");
        costs.get(i).add(StabilizationCost.measure(SEATS[i], seeds.nextLong(), forNanos));
      }
    }
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < SEATS.length; i++) {
      String of = " per seat, " + SEATS[i] + " seats";
      Samples messages = Samples.of(costs.get(i), StabilizationCost.Cost::messages);
      Samples bytes = Samples.of(costs.get(i), StabilizationCost.Cost::bytes);
      results.add(beside(costs, "messages" + of, "1/s", messages, true));
      results.add(beside(costs, "bytes" + of, "B/s", bytes, false));
    }
    return new Outcome(
        results,
        List.of(
            "Simulated time; the measured seats and their neighbours are real cores,"
                + " the rest of a large ring only answers."));
  }

  private static Result beside(
      List<List<StabilizationCost.Cost>> costs,
      String name,
      String unit,
      Samples value,
      boolean messages) {
    Samples smallest =
        Samples.of(costs.getFirst(), cost -> messages ? cost.messages() : cost.bytes());
    return Result.of(name, unit, Result.Better.LOWER, value)
        .against(SEATS[0] + " seats", smallest)
        .aimingAt(RATIO_MAX);
  }
}
