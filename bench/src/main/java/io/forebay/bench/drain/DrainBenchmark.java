package io.forebay.bench.drain;

import io.forebay.bench.Benchmark;
import io.forebay.bench.Result;
import io.forebay.bench.Rounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What it costs to plan a drain, and how large the writes are that come out of it. */
public final class DrainBenchmark implements Benchmark {
  /**
   * How much is measured.
   *
   * @param extentCounts how many extents the files have, ascending powers of ten
   * @param extentsEach one measurement takes the mean of at least so many
   */
  record Scale(int rounds, List<Integer> extentCounts, int extentsEach) {
    static Scale full() {
      return new Scale(
          Rounds.COUNT_MIN, List.of(1_000, 10_000, 100_000, 1_000_000, 10_000_000), 1_000_000);
    }

    static Scale quick() {
      return new Scale(Rounds.COUNT_MIN, List.of(1_000, 10_000, 100_000, 1_000_000), 200_000);
    }
  }

  @Override
  public String name() {
    return "drain";
  }

  @Override
  public Outcome run(Options options, Progress progress) throws IOException, InterruptedException {
    return run(options.quick() ? Scale.quick() : Scale.full(), options, progress);
  }

  Outcome run(Scale scale, Options options, Progress progress)
      throws IOException, InterruptedException {
    List<Result> results = new ArrayList<>();
    results.addAll(new PlanningCosts(scale, options.seed(), progress).measure());
    results.addAll(PlannedWrites.measure(progress));
    return new Outcome(results, List.of());
  }
}
