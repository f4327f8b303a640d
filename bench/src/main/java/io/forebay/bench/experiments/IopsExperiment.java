// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments;

import io.forebay.backing.slow.SlowStore;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.experiments.report.BarChart;
import io.forebay.bench.experiments.report.Comparison;
import io.forebay.bench.experiments.report.Findings;
import io.forebay.bench.ior.IorLayout;
import io.forebay.bench.ior.IorOption;
import io.forebay.bench.ior.IorPlan;
import io.forebay.bench.ior.IorRun;
import io.forebay.bench.ior.IorTarget;
import io.forebay.bench.process.CpuTime;
import io.forebay.bench.process.ServedCluster;
import io.forebay.client.InstanceOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Bard, the IOPS of the benchmark targets: random transfers of 4 KiB, a file per task, written and
 * read by the next task, through rings of more and more seats and straight to the slow store.
 */
final class IopsExperiment implements Experiment {
  private static final int TASKS = 4;
  private static final int TRANSFER_BYTES = 4 << 10;

  /** A task's file is this part of what a writer has in the tiers' experiment. */
  private static final int TASK_PART = 16;

  /** The slow store's rate does not depend on the amount. */
  private static final int SLOW_PART = 4;

  /** The slides' 28 and 13 million over 287 servers. */
  private static final double SLIDES_READS_PER_SERVER = 28e6 / 287;

  private static final double SLIDES_WRITES_PER_SERVER = 13e6 / 287;

  private static final String INSTANCE = "iops";

  /** In place of a number of seats. */
  private static final int STRAIGHT = 0;

  /**
   * One measurement.
   *
   * @param writes a second, until all are kept and every client sees them
   * @param reads a second
   * @param cpuMicros of tasks and servers, for each transfer
   */
  private record Measured(double writes, double reads, double cpuMicros) {}

  private final List<Integer> counts;

  /**
   * With rings of these numbers of seats.
   *
   * @param counts from few to many
   */
  IopsExperiment(List<Integer> counts) {
    this.counts = List.copyOf(counts);
  }

  @Override
  public String name() {
    return "iops";
  }

  @Override
  public Findings run(Ground ground) throws IOException, InterruptedException {
    Path store = ground.scratch().onDevice("iops-store");
    Map<Integer, List<Measured>> measured = new LinkedHashMap<>();
    // In turn with each ring.
    List<Measured> straight = new ArrayList<>();
    for (int seats : counts) {
      ground.progress().measuring("iops: " + label(seats));
      List<List<Measured>> both = measure(ground, seats, store);
      measured.put(seats, both.getFirst());
      straight.addAll(both.getLast());
    }
    measured.put(STRAIGHT, straight);
    return new Findings(name(), results(measured), comparisons(measured), chart(measured));
  }

  private static List<List<Measured>> measure(Ground ground, int seats, Path store)
      throws IOException, InterruptedException {
    ExperimentScale scale = ground.scale();
    long taskBytes = Math.max(TRANSFER_BYTES, scale.tierBytes() / TASK_PART);
    long slowBytes = Math.max(TRANSFER_BYTES, taskBytes / SLOW_PART);
    long room = scale.roomBytes(TASKS * taskBytes);
    try (ServedCluster cluster = ground.start("iops-ring-" + seats, seats, room, room)) {
      cluster.create(INSTANCE, InstanceOptions.defaults().withCopies(1));
      IorTarget buffer = new IorTarget(IorTarget.Api.FOREBAY, cluster.uri(INSTANCE), "/random");
      IorTarget slow = new IorTarget(IorTarget.Api.SLOW, store.toString(), "random");
      try (IorRun buffered = run(ground, taskBytes, buffer);
          IorRun straight = run(ground, slowBytes, slow)) {
        List<Rounds.Trial<Measured>> trials =
            List.of(
                () -> measure(cluster, buffered, TASKS * taskBytes),
                () -> measure(cluster, straight, TASKS * slowBytes));
        return scale.measure(trials);
      }
    }
  }

  /** Forced at the end, so that every write is kept within its time. */
  private static IorRun run(Ground ground, long taskBytes, IorTarget target) throws IOException {
    IorLayout layout =
        new IorLayout(TASKS, taskBytes, TRANSFER_BYTES, 1, true, true, ground.seed());
    return IorRun.ofThreads(IorPlan.once(layout, IorOption.FSYNC, IorOption.REORDER), target);
  }

  private static Measured measure(ServedCluster cluster, IorRun run, long bytes)
      throws IOException, InterruptedException {
    long cpuBefore = CpuTime.nanos() + cluster.cpuNanos();
    double writes = run.write().transfersPerSecond();
    double reads = run.read().transfersPerSecond();
    long cpuNanos = CpuTime.nanos() + cluster.cpuNanos() - cpuBefore;
    run.deleteFiles();
    cluster.awaitEmpty();
    double cpuMicros = (double) cpuNanos / TimeUnit.MICROSECONDS.toNanos(1);
    return new Measured(writes, reads, cpuMicros / (2.0 * bytes / TRANSFER_BYTES));
  }

  private static String label(int seats) {
    return seats == STRAIGHT
        ? "straight"
        : "Forebay, %d %s".formatted(seats, seats == 1 ? "seat" : "seats");
  }

  private static List<Result> results(Map<Integer, List<Measured>> measured) {
    List<Result> results = new ArrayList<>();
    measured.forEach(
        (seats, all) -> {
          results.add(rate("random reads, " + label(seats), all, Measured::reads));
          results.add(rate("random writes, " + label(seats), all, Measured::writes));
        });
    measured.forEach(
        (seats, all) -> {
          if (seats == STRAIGHT) return;
          results.add(rate("reads per seat, " + label(seats), all, each -> each.reads / seats));
          results.add(rate("writes per seat, " + label(seats), all, each -> each.writes / seats));
          results.add(
              Result.of(
                  "CPU per transfer, " + label(seats),
                  "us",
                  Better.LOWER,
                  Samples.of(all, Measured::cpuMicros)));
        });
    return results;
  }

  private static Result rate(
      String name, List<Measured> all, ToDoubleFunction<Measured> transfersPerSecond) {
    return Result.of(name, Rate.PER_SECOND, Better.HIGHER, Samples.of(all, transfersPerSecond));
  }

  private List<Comparison> comparisons(Map<Integer, List<Measured>> measured) {
    int least = counts.getFirst();
    int most = counts.getLast();
    String seats = "%d seats by %d".formatted(most, least);
    return List.of(
        new Comparison(
            "random reads by straight, mean over seats",
            "about 9 (ATLAS), 2 (JGI, tuned Lustre)",
            meanRatio(measured, Measured::reads)),
        new Comparison(
            "random writes by straight, mean over seats",
            "not told without forces",
            meanRatio(measured, Measured::writes)),
        new Comparison(
            "random reads by writes, %d seats".formatted(most),
            "2.15 (28M : 13M)",
            median(measured, most, Measured::reads) / median(measured, most, Measured::writes)),
        new Comparison(
            "random reads: " + seats,
            "one size only",
            median(measured, most, Measured::reads) / median(measured, least, Measured::reads)),
        new Comparison(
            "random writes: " + seats,
            "one size only",
            median(measured, most, Measured::writes) / median(measured, least, Measured::writes)),
        new Comparison(
            "reads per seat, %d seats, by the slides' per server".formatted(most),
            "1 (97,561/s)",
            median(measured, most, Measured::reads) / most / SLIDES_READS_PER_SERVER),
        new Comparison(
            "writes per seat, %d seats, by the slides' per server".formatted(most),
            "1 (45,296/s)",
            median(measured, most, Measured::writes) / most / SLIDES_WRITES_PER_SERVER),
        new Comparison(
            "CPU per transfer: " + seats,
            "not told",
            median(measured, most, Measured::cpuMicros)
                / median(measured, least, Measured::cpuMicros)));
  }

  private double meanRatio(
      Map<Integer, List<Measured>> measured, ToDoubleFunction<Measured> figure) {
    double straight = median(measured, STRAIGHT, figure);
    double sum = 0;
    for (int seats : counts) sum += median(measured, seats, figure) / straight;
    return sum / counts.size();
  }

  private static double median(
      Map<Integer, List<Measured>> measured, int seats, ToDoubleFunction<Measured> figure) {
    return Samples.of(measured.getOrDefault(seats, List.of()), figure).median();
  }

  private static BarChart chart(Map<Integer, List<Measured>> measured) {
    return new BarChart(
        "4 KiB at random, %d tasks, transfers a second".formatted(TASKS),
        "straight: " + SlowStore.LABEL,
        List.of(
            group("read", measured, Measured::reads), group("write", measured, Measured::writes)));
  }

  private static BarChart.Group group(
      String name, Map<Integer, List<Measured>> measured, ToDoubleFunction<Measured> figure) {
    List<BarChart.Bar> bars = new ArrayList<>();
    measured.forEach(
        (seats, all) -> bars.add(new BarChart.Bar(label(seats), Samples.of(all, figure).median())));
    return new BarChart.Group(name, bars);
  }
}
