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
import io.forebay.bench.process.ServedCluster;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.PlacementSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Wang et al., Fig. 5: bursts with a pause between, as many tasks as seats, 1 MiB transfers, with
 * isolated and Ketama placement, against one shared file and a file per task straight to the store.
 * Here the store is the slow profile, and each burst is drained to it in the pause behind it.
 */
final class BurstExperiment implements Experiment {
  private static final int TRANSFER_BYTES = 1 << 20;

  static final String ISOLATED = "Forebay, isolated";
  static final String KETAMA = "Forebay, Ketama";
  static final String TWO_COPIES = "Forebay, isolated, 2 copies";
  static final String SHARED = "straight, shared file";
  static final String OWN = "straight, file per task";

  private final List<Integer> counts;

  /**
   * With rings of these numbers of seats.
   *
   * @param counts from few to many
   */
  BurstExperiment(List<Integer> counts) {
    this.counts = counts;
  }

  @Override
  public String name() {
    return "fig5";
  }

  @Override
  public Findings run(Ground ground) throws IOException, InterruptedException {
    Map<Integer, Map<String, List<Burst.Figures>>> measured = new LinkedHashMap<>();
    for (int seats : counts) {
      ground.progress().measuring("fig5: bursts to " + seats + (seats == 1 ? " seat" : " seats"));
      measured.put(seats, measure(ground, seats));
    }
    return new Findings(name(), results(measured), comparisons(measured), chart(measured));
  }

  private static Map<String, List<Burst.Figures>> measure(Ground ground, int seats)
      throws IOException, InterruptedException {
    ExperimentScale scale = ground.scale();
    // Enough for all of it at one seat. Pieces that are written twice on a busy machine go to the
    // device.
    long memory = scale.roomBytes(scale.burstBytes());
    List<Burst> bursts = new ArrayList<>();
    try (ServedCluster cluster = ground.start("fig5-ring-" + seats, seats, memory, memory)) {
      try {
        IorLayout layout = layout(ground, seats, false);
        bursts.add(buffered(ground, cluster, layout, PlacementSpec.Kind.ISOLATED, 1));
        bursts.add(buffered(ground, cluster, layout, PlacementSpec.Kind.KETAMA, 1));
        if (seats > 1) {
          bursts.add(buffered(ground, cluster, layout, PlacementSpec.Kind.ISOLATED, 2));
        }
        bursts.add(straight(ground, layout));
        bursts.add(straight(ground, layout(ground, seats, true)));
        List<Rounds.Trial<Burst.Figures>> trials = new ArrayList<>();
        for (Burst burst : bursts) trials.add(burst::measure);
        List<List<Burst.Figures>> figures = scale.measure(trials);
        Map<String, List<Burst.Figures>> named = new LinkedHashMap<>();
        for (int i = 0; i < bursts.size(); i++) named.put(bursts.get(i).name(), figures.get(i));
        return named;
      } finally {
        for (Burst burst : bursts) burst.close();
      }
    }
  }

  private static IorLayout layout(Ground ground, int tasks, boolean filePerTask) {
    return new IorLayout(
        tasks,
        ground.scale().burstBytes() / tasks,
        TRANSFER_BYTES,
        1,
        filePerTask,
        false,
        ground.seed());
  }

  private static Burst buffered(
      Ground ground,
      ServedCluster cluster,
      IorLayout layout,
      PlacementSpec.Kind placement,
      int copies)
      throws IOException {
    boolean isolated = placement == PlacementSpec.Kind.ISOLATED;
    String instance = (isolated ? "isolated-" : "ketama-") + copies;
    Path store = ground.scratch().onDevice("fig5-" + layout.tasks() + "-" + instance);
    cluster.create(
        instance,
        InstanceOptions.defaults()
            .withCopies(copies)
            .withPlacement(new PlacementSpec(placement, PlacementSpec.STRIPE_BYTES_DEFAULT, 0))
            .withDrain(new DrainSpec("slow+posix:" + store, "close")));
    IorTarget target = new IorTarget(IorTarget.Api.FOREBAY, cluster.uri(instance), "/" + instance);
    IorRun run = IorRun.ofThreads(IorPlan.once(layout, IorOption.WRITE), target);
    String name = copies > 1 ? TWO_COPIES : isolated ? ISOLATED : KETAMA;
    return Burst.buffered(name, run, layout, cluster, instance, ground.scale().pauseMillis());
  }

  /** Forced, so that the bytes are in the store when the burst ends. */
  private static Burst straight(Ground ground, IorLayout layout) throws IOException {
    String file = layout.filePerTask() ? "own" : "shared";
    Path store = ground.scratch().onDevice("fig5-" + layout.tasks() + "-" + file);
    IorPlan plan = IorPlan.once(layout, IorOption.WRITE, IorOption.FSYNC);
    IorTarget target = new IorTarget(IorTarget.Api.SLOW, store.toString(), file);
    return Burst.straight(
        layout.filePerTask() ? OWN : SHARED, IorRun.ofThreads(plan, target), layout);
  }

  private static List<Result> results(Map<Integer, Map<String, List<Burst.Figures>>> measured) {
    List<Result> results = new ArrayList<>();
    measured.forEach(
        (seats, cases) ->
            cases.forEach(
                (name, figures) ->
                    results.add(
                        Result.of(
                            label(name, seats),
                            Rate.MIB_PER_SECOND,
                            Better.HIGHER,
                            Samples.of(figures, Burst.Figures::mibPerSecond)))));
    measured.forEach(
        (seats, cases) ->
            cases.forEach(
                (name, figures) -> {
                  if (name.equals(SHARED) || name.equals(OWN)) return;
                  results.add(
                      Result.of(
                          "CPU of " + label(name, seats),
                          "s/GiB",
                          Better.LOWER,
                          Samples.of(figures, Burst.Figures::cpuSecondsPerGib)));
                }));
    measured.forEach(
        (seats, cases) ->
            results.add(
                Result.of(
                    "durable after " + label(ISOLATED, seats),
                    "s",
                    Better.LOWER,
                    Samples.of(figures(cases, ISOLATED), Burst.Figures::durableSeconds))));
    return results;
  }

  private static String label(String name, int seats) {
    return "%s, %d %s".formatted(name, seats, seats == 1 ? "seat" : "seats");
  }

  private List<Comparison> comparisons(Map<Integer, Map<String, List<Burst.Figures>>> measured) {
    int least = counts.getFirst();
    int most = counts.getLast();
    return List.of(
        new Comparison(
            "isolated by straight to a shared file, mean over seats",
            "2.78 or 3.78",
            meanRatio(measured, ISOLATED, SHARED)),
        new Comparison(
            "isolated by straight to a file per task, mean over seats",
            "1.75 or 2.75",
            meanRatio(measured, ISOLATED, OWN)),
        new Comparison(
            "isolated by Ketama, mean over seats", "> 1", meanRatio(measured, ISOLATED, KETAMA)),
        new Comparison(
            "isolated, bandwidth at %d seats by %d".formatted(most, least),
            "about " + most / least,
            rate(measured, most, ISOLATED) / rate(measured, least, ISOLATED)),
        new Comparison(
            "isolated, CPU per GiB at %d seats by %d".formatted(most, least),
            "not told",
            cpu(measured, most) / cpu(measured, least)));
  }

  private double meanRatio(
      Map<Integer, Map<String, List<Burst.Figures>>> measured, String above, String below) {
    double sum = 0;
    for (int seats : counts) sum += rate(measured, seats, above) / rate(measured, seats, below);
    return sum / counts.size();
  }

  private static double rate(
      Map<Integer, Map<String, List<Burst.Figures>>> measured, int seats, String name) {
    return Samples.of(figures(measured, seats, name), Burst.Figures::mibPerSecond).median();
  }

  private static double cpu(Map<Integer, Map<String, List<Burst.Figures>>> measured, int seats) {
    return Samples.of(figures(measured, seats, ISOLATED), Burst.Figures::cpuSecondsPerGib).median();
  }

  private static List<Burst.Figures> figures(
      Map<Integer, Map<String, List<Burst.Figures>>> measured, int seats, String name) {
    return figures(measured.getOrDefault(seats, Map.of()), name);
  }

  private static List<Burst.Figures> figures(Map<String, List<Burst.Figures>> cases, String name) {
    return cases.getOrDefault(name, List.of());
  }

  private static BarChart chart(Map<Integer, Map<String, List<Burst.Figures>>> measured) {
    List<BarChart.Group> groups = new ArrayList<>();
    measured.forEach(
        (seats, cases) -> {
          List<BarChart.Bar> bars = new ArrayList<>();
          cases.forEach(
              (name, figures) ->
                  bars.add(
                      new BarChart.Bar(
                          name, Samples.of(figures, Burst.Figures::mibPerSecond).median())));
          String heading =
              seats == 1 ? "1 task, 1 seat" : "%d tasks, %d seats".formatted(seats, seats);
          groups.add(new BarChart.Group(heading, bars));
        });
    return new BarChart("Bursts with a pause between, MiB/s", "store: " + SlowStore.LABEL, groups);
  }
}
