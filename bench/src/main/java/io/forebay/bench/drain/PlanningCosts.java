// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.drain;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.bench.Benchmark.Progress;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Rounds.Trial;
import io.forebay.bench.Samples;
import io.forebay.bench.drain.WrittenExtents.Shape;
import io.forebay.drain.plan.DrainPlan;
import io.forebay.drain.plan.DrainPlanner;
import io.forebay.drain.plan.Holder;
import io.forebay.drain.plan.Holders;
import io.forebay.drain.plan.Participants;
import io.forebay.drain.plan.WriteRules;
import io.forebay.drain.reorder.Pieces;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Processor time per extent to plan a drain, from requests in no order to writes with holders: with
 * two-level reordering, next to the same with all extents sorted. A directory's extents are already
 * in order, and are planned as they are.
 */
final class PlanningCosts {
  private static final int SEATS = 4;
  private static final int STRIPE_BYTES = 1 << 20;
  private static final int WARM_UPS = 4;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final String SORTED = "flatten and sort";

  private final DrainScale scale;
  private final long seed;
  private final Progress progress;

  PlanningCosts(DrainScale scale, long seed, Progress progress) {
    this.scale = scale;
    this.seed = seed;
    this.progress = progress;
  }

  List<Result> measure() throws IOException, InterruptedException {
    // Warms the JIT up with all shapes before the first measurement.
    for (int i = 0; i < WARM_UPS; i++) {
      for (Shape shape : Shape.values()) measure(shape, scale.extentCounts().getFirst());
    }
    List<Result> results = new ArrayList<>();
    for (Shape shape : Shape.values()) {
      for (int count : scale.extentCounts()) results.add(measure(shape, count));
    }
    for (int count : scale.extentCounts()) results.add(measureOrdered(count));
    return results;
  }

  private Result measure(Shape shape, int count) throws IOException, InterruptedException {
    String name = name(count, shape.text());
    progress.measuring(name);
    WrittenExtents extents = new WrittenExtents(shape, count, seed);
    List<Trial<Double>> trials =
        List.of(trial(count, extents::byTwoLevels), trial(count, extents::bySortingAll));
    List<Samples> nanos = Rounds.figures(scale.rounds(), 1, trials);
    return Result.of(name, Rate.NANOS, Better.LOWER, nanos.get(0)).against(SORTED, nanos.get(1));
  }

  private Result measureOrdered(int count) throws IOException, InterruptedException {
    String name = name(count, "extents in order");
    progress.measuring(name);
    Pieces pieces = new WrittenExtents(Shape.APART, count, seed).byTwoLevels();
    List<Samples> nanos = Rounds.figures(scale.rounds(), 1, List.of(trial(count, () -> pieces)));
    return Result.of(name, Rate.NANOS, Better.LOWER, nanos.get(0));
  }

  private static String name(int count, String what) {
    return "plan 10^" + (int) Math.round(Math.log10(count)) + " " + what;
  }

  private Trial<Double> trial(int count, Supplier<Pieces> reordered) {
    int plans = Math.max(1, scale.extentsEach() / count);
    return () -> {
      // This thread's processor time, so that other load does not count.
      long start = THREADS.getCurrentThreadCpuTime();
      for (int i = 0; i < plans; i++) {
        if (plan(reordered.get()).writeCount() == 0) throw new IllegalStateException("no writes");
      }
      return (double) (THREADS.getCurrentThreadCpuTime() - start) / ((long) plans * count);
    };
  }

  static DrainPlan plan(Pieces pieces) {
    DrainPlanner.Planning planning =
        DrainPlanner.plan(
            pieces, pieces.endOffset(), WriteRules.fileSystem(STRIPE_BYTES), participants());
    if (planning instanceof DrainPlanner.Planning.Planned planned) return planned.plan();
    throw new IllegalStateException("no plan: " + planning);
  }

  private static Participants participants() {
    List<Holder> holders = new ArrayList<>();
    for (int seat = 0; seat < SEATS; seat++) {
      GroupId group = GroupId.of(new SeatId(seat), 1);
      holders.add(new Holder(new SeatId(seat), group, List.of(group)));
    }
    return new Participants(
        new Holders(holders), source -> GroupId.of(new SeatId(source % SEATS), 1).number(), 0);
  }
}
