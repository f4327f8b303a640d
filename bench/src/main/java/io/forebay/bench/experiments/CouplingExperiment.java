// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments;

import io.forebay.backing.slow.SlowStore;
import io.forebay.base.ByteSize;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.experiments.report.BarChart;
import io.forebay.bench.experiments.report.Comparison;
import io.forebay.bench.experiments.report.Findings;
import io.forebay.bench.ior.IorTarget;
import io.forebay.bench.process.ServedCluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.DrainSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Bard, ChomboCrunch and VisIt: a simulation writes steps and a second program makes a picture of
 * each finished step meanwhile, at several resolutions; through a persistent instance, with and
 * without a drain, and straight to the slow store.
 */
final class CouplingExperiment implements Experiment {
  private static final int SEATS = 2;
  private static final int STEPS = 8;

  /** The largest step is this part of what a writer has in the tiers' experiment. */
  private static final int LARGEST_PART = 4;

  /** The resolutions, as parts of the largest, from coarse to fine. */
  private static final List<Integer> RESOLUTIONS = List.of(16, 4, 1);

  private static final Duration DRAIN_PATIENCE = Duration.ofMinutes(2);

  /** The programs, and where their files are. */
  private enum Way {
    FOREBAY("Forebay", "kept", true),
    DRAINED("Forebay, drained", "drained", true),
    ALONE("Forebay, writer alone", "kept", false),
    STRAIGHT("straight", "", true);

    final String words;
    final String instance;
    final boolean reads;

    Way(String words, String instance, boolean reads) {
      this.words = words;
      this.instance = instance;
      this.reads = reads;
    }
  }

  private record Case(Way way, long stepBytes) {
    String label() {
      return way.words + ", " + steps(stepBytes);
    }
  }

  /**
   * One measurement.
   *
   * @param seconds until the last picture
   * @param durableSeconds from then on until the store had everything; 0 if nothing is drained
   */
  private record Measured(double mibPerSecond, double seconds, double durableSeconds) {}

  private static String steps(long stepBytes) {
    return "steps of " + ByteSize.format(stepBytes);
  }

  @Override
  public String name() {
    return "coupling";
  }

  @Override
  public Findings run(Ground ground) throws IOException, InterruptedException {
    long largest = ground.scale().tierBytes() / LARGEST_PART;
    long room = ground.scale().roomBytes(STEPS * largest);
    Path store = ground.scratch().onDevice("coupling-store");
    Map<Case, List<Measured>> measured = new LinkedHashMap<>();
    try (ServedCluster cluster = ground.start("coupling-ring", SEATS, room, room)) {
      String drain = "slow+posix:" + ground.scratch().onDevice("coupling-drained");
      InstanceOptions options = InstanceOptions.defaults().withCopies(1);
      cluster.create(Way.FOREBAY.instance, options);
      cluster.create(Way.DRAINED.instance, options.withDrain(new DrainSpec(drain, "close")));
      try (Forebay drained = cluster.connect(Way.DRAINED.instance, ForebayOptions.defaults())) {
        for (int part : RESOLUTIONS) {
          long stepBytes = largest / part;
          ground.progress().measuring("coupling: " + steps(stepBytes));
          measured.putAll(measure(ground.scale(), stepBytes, cluster, drained, store));
        }
      }
    }
    return new Findings(name(), results(measured), comparisons(measured), chart(measured));
  }

  private static Map<Case, List<Measured>> measure(
      ExperimentScale scale, long stepBytes, ServedCluster cluster, Forebay drained, Path store)
      throws IOException, InterruptedException {
    Map<Case, Coupling> cases = new LinkedHashMap<>();
    try {
      List<Rounds.Trial<Measured>> trials = new ArrayList<>();
      for (Way way : Way.values()) {
        Coupling coupling =
            new Coupling(
                new Coupling.Shape(STEPS, stepBytes), target(way, cluster, store), way.reads);
        cases.put(new Case(way, stepBytes), coupling);
        trials.add(
            () -> {
              long nanos = coupling.measureNanos();
              double durable = way == Way.DRAINED ? durableSeconds(drained) : 0;
              coupling.deleteFiles();
              cluster.awaitEmpty();
              double rate = Rate.mibPerSecond(coupling.shape().totalBytes(), nanos);
              return new Measured(rate, seconds(nanos), durable);
            });
      }
      List<List<Measured>> figures = scale.measure(trials);
      Map<Case, List<Measured>> measured = new LinkedHashMap<>();
      for (Case each : cases.keySet()) measured.put(each, figures.get(measured.size()));
      return measured;
    } finally {
      for (Coupling coupling : cases.values()) coupling.close();
    }
  }

  private static IorTarget target(Way way, ServedCluster cluster, Path store) {
    return way == Way.STRAIGHT
        ? new IorTarget(IorTarget.Api.SLOW, store.toString(), "step")
        : new IorTarget(IorTarget.Api.FOREBAY, cluster.uri(way.instance), "/step");
  }

  private static double durableSeconds(Forebay drained) throws IOException {
    long start = System.nanoTime();
    drained.awaitDurable("/", DRAIN_PATIENCE);
    return seconds(System.nanoTime() - start);
  }

  private static double seconds(long nanos) {
    return (double) nanos / TimeUnit.SECONDS.toNanos(1);
  }

  private static List<Result> results(Map<Case, List<Measured>> measured) {
    List<Result> results = new ArrayList<>();
    measured.forEach(
        (each, all) ->
            results.add(
                Result.of(
                    each.label(),
                    Rate.MIB_PER_SECOND,
                    Better.HIGHER,
                    Samples.of(all, Measured::mibPerSecond))));
    measured.forEach(
        (each, all) -> {
          if (each.way == Way.ALONE) return;
          results.add(time("last picture, " + each.label(), all, Measured::seconds));
        });
    measured.forEach(
        (each, all) -> {
          if (each.way != Way.DRAINED) return;
          results.add(time("durable after " + each.label(), all, Measured::durableSeconds));
        });
    return results;
  }

  private static Result time(
      String name, List<Measured> all, ToDoubleFunction<Measured> measuredSeconds) {
    return Result.of(name, "s", Better.LOWER, Samples.of(all, measuredSeconds));
  }

  private static List<Comparison> comparisons(Map<Case, List<Measured>> measured) {
    List<Long> sizes = measured.keySet().stream().map(Case::stepBytes).distinct().toList();
    List<Comparison> comparisons = new ArrayList<>();
    for (long bytes : sizes) {
      double straight = rate(measured, Way.STRAIGHT, bytes);
      comparisons.add(
          new Comparison(
              steps(bytes) + ": Forebay by straight",
              "> 1 at all resolutions, no figure",
              rate(measured, Way.FOREBAY, bytes) / straight));
      comparisons.add(
          new Comparison(
              steps(bytes) + ": Forebay, drained, by straight",
              "not told",
              rate(measured, Way.DRAINED, bytes) / straight));
    }
    long largest = sizes.getLast();
    comparisons.add(
        new Comparison(
            steps(largest) + ": with the reader by the writer alone",
            "about 0.25 of peak",
            rate(measured, Way.FOREBAY, largest) / rate(measured, Way.ALONE, largest)));
    comparisons.add(
        new Comparison(
            "Forebay: %s by %s".formatted(steps(largest), steps(sizes.getFirst())),
            "scales well, with the servers",
            rate(measured, Way.FOREBAY, largest) / rate(measured, Way.FOREBAY, sizes.getFirst())));
    return comparisons;
  }

  private static double rate(Map<Case, List<Measured>> measured, Way way, long stepBytes) {
    return Samples.of(
            measured.getOrDefault(new Case(way, stepBytes), List.of()), Measured::mibPerSecond)
        .median();
  }

  private static BarChart chart(Map<Case, List<Measured>> measured) {
    Map<Long, List<BarChart.Bar>> bars = new LinkedHashMap<>();
    measured.forEach(
        (each, all) ->
            bars.computeIfAbsent(each.stepBytes, none -> new ArrayList<>())
                .add(
                    new BarChart.Bar(
                        each.way.words, Samples.of(all, Measured::mibPerSecond).median())));
    List<BarChart.Group> groups = new ArrayList<>();
    bars.forEach((bytes, each) -> groups.add(new BarChart.Group(steps(bytes), each)));
    return new BarChart(
        "A writer of steps and a reader of finished steps, MiB/s until the last picture",
        "store: " + SlowStore.LABEL,
        groups);
  }
}
