// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf;

import io.forebay.bench.Benchmark;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Rounds.Trial;
import io.forebay.bench.Samples;
import io.forebay.bench.netcdf.pattern.BtioPattern;
import io.forebay.bench.netcdf.pattern.Pattern;
import io.forebay.drain.reorder.Pieces;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.driver.direct.FileOrder;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Processor time per run of bytes to bring one rank's requests of BTIO, shuffled, into the order of
 * the file: by two levels, next to flattening and sorting everything.
 */
public final class ReorderBenchmark implements Benchmark {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final double AIM = 0.2;
  private static final int AIM_RUNS = 1_000_000;
  private static final int RANKS = 9;

  /** NPB's class B. */
  private static final int SIDE = 102;

  private static final int WARM_UPS = 10;

  @Override
  public String name() {
    return "netcdf reorder";
  }

  @Override
  public Outcome run(Options options, Progress progress) throws IOException, InterruptedException {
    List<Result> results = new ArrayList<>();
    // The most first: the compiler has seen everything then.
    for (int runs : List.of(AIM_RUNS, AIM_RUNS / 10, AIM_RUNS / 100)) {
      progress.measuring(runs + " runs");
      measure(runs, options.quick() ? Rounds.COUNT_MIN : 2 * Rounds.COUNT_MIN, options, results);
    }
    return new Outcome(
        results,
        List.of(
            "From requests in terms of variables to pieces of the file in its order. 'as records': "
                + "24 bytes for each run, sorted as such. 'as numbers': offsets packed with the "
                + "places of their runs into one number each, the fastest way there is to sort "
                + "them in Java."));
  }

  private static void measure(int runs, int rounds, Options options, List<Result> results)
      throws IOException, InterruptedException {
    Layout layout = layout(runs);
    List<Transfer> transfers = transfers(runs, options.seed());
    SortedRuns sorted = new SortedRuns(layout, transfers);
    int total = FileOrder.of(layout, transfers).count();
    List<Trial<Double>> trials =
        List.of(
            trial(total, () -> FileOrder.of(layout, transfers)),
            trial(total, sorted::asRecords),
            trial(total, sorted::asNumbers));
    List<Samples> nanos = Rounds.figures(rounds, WARM_UPS, trials);
    String name = "10^" + Math.round(Math.log10(runs)) + " runs";
    Result two = Result.of(name, Rate.NANOS, Better.LOWER, nanos.get(0));
    Result first = two.against("flatten and sort as records", nanos.get(1));
    results.add(runs == AIM_RUNS ? first.aimingAt(AIM) : first);
    results.add(two.against("flatten and sort as numbers", nanos.get(2)));
  }

  private static Trial<Double> trial(int runs, Supplier<Pieces> reordered) {
    return () -> {
      // This thread's processor time, so that other load does not count.
      long start = THREADS.getCurrentThreadCpuTime();
      if (reordered.get().count() != runs) throw new IllegalStateException("pieces are missing");
      return (double) (THREADS.getCurrentThreadCpuTime() - start) / runs;
    };
  }

  private static BtioPattern pattern(int runs) {
    int part = SIDE / 3;
    return BtioPattern.strong(RANKS, SIDE, Math.ceilDiv(runs, 3 * part * part));
  }

  private static Layout layout(int runs) throws NetcdfException {
    Pattern.Shape shape = pattern(runs).files().getFirst();
    List<Dimension> dimensions =
        shape.dimensions().stream().map(each -> new Dimension(each.name(), each.length())).toList();
    List<Variable> variables =
        shape.variables().stream()
            .map(
                each ->
                    new Variable(
                        each.name(), each.type(), each.along(), List.of(), Variable.NOWHERE))
            .toList();
    return Layout.of(Layout.place(new Header(Format.CDF5, 0, dimensions, List.of(), variables), 1));
  }

  /** The requests of one rank, in no order; their elements are not looked at. */
  private static List<Transfer> transfers(int runs, long seed) {
    List<Transfer> transfers = new ArrayList<>();
    Values none = Values.of(MemorySegment.NULL, ElementType.DOUBLE);
    pattern(runs)
        .<RuntimeException>puts(
            0, RANKS / 2, put -> transfers.add(Transfer.now(0, List.of(put.part()), none)));
    Collections.shuffle(transfers, new Random(seed));
    return transfers;
  }
}
