// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments;

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
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Wang et al., Fig. 6: two writers on one shared file, 16 KiB transfers, to one server that keeps
 * everything in memory, half of it, or nothing, next to the same file written straight to the
 * device. What is on a device at the end is forced there in all cases.
 */
final class TierExperiment implements Experiment {
  private static final int WRITERS = 2;
  private static final int TRANSFER_BYTES = 16 << 10;
  private static final int SEQUENTIAL_BYTES = 1 << 20;

  /** The slow store takes 0.5 ms for each transfer; less is enough to tell its rate. */
  private static final int SLOW_PART = 16;

  static final String MEMORY = "Forebay, memory";
  static final String MEMORY_TURNS = "Forebay, memory, in turns";
  static final String HYBRID = "Forebay, half memory";
  static final String SSD = "Forebay, SSD";
  static final String STRAIGHT = "straight, 2 writers";
  static final String SEQUENTIAL = "straight, 1 writer, in order";
  static final String RANDOM = "straight, 1 writer, at random";
  static final String SLOW = "straight, slow profile";

  private static final String INSTANCE = "tier";
  private static final String FILE = "shared";

  /** One way of writing the file. */
  private record Way(String name, IorRun run, Between after) {}

  /** The wait after a file is deleted. */
  private interface Between {
    void run() throws IOException, InterruptedException;
  }

  @Override
  public String name() {
    return "fig6";
  }

  @Override
  public Findings run(Ground ground) throws IOException, InterruptedException {
    ground.progress().measuring("fig6: two writers, one file, each tier");
    ExperimentScale scale = ground.scale();
    long data = WRITERS * scale.tierBytes();
    long all = scale.roomBytes(data);
    // Half of it does not fit in memory, whatever a store reserves.
    long half = Math.max(scale.roomBytes(0), data / 2);
    List<Way> ways = new ArrayList<>();
    try (ServedCluster memory = ground.start("fig6-memory", 1, all, 0);
        ServedCluster hybrid = ground.start("fig6-hybrid", 1, half, all);
        ServedCluster ssd = ground.start("fig6-ssd", 1, 0, all)) {
      try {
        create(memory, false);
        create(hybrid, false);
        // There is only the device, and its bytes count when they are forced.
        create(ssd, true);
        addBuffered(ways, ground, memory, hybrid, ssd);
        addStraight(ways, ground);
        return findings(ways, scale.measure(trials(ways)));
      } finally {
        for (Way way : ways) way.run.close();
      }
    }
  }

  private static void create(ServedCluster cluster, boolean forced) throws IOException {
    cluster.create(INSTANCE, InstanceOptions.defaults().withCopies(1).withForced(forced));
  }

  private static void addBuffered(
      List<Way> ways, Ground ground, ServedCluster memory, ServedCluster hybrid, ServedCluster ssd)
      throws IOException {
    IorPlan blocks = IorPlan.once(blocks(ground), IorOption.WRITE);
    IorPlan turns = IorPlan.once(turns(ground), IorOption.WRITE);
    ways.add(new Way(MEMORY, buffered(blocks, memory), memory::awaitEmpty));
    ways.add(new Way(MEMORY_TURNS, buffered(turns, memory), memory::awaitEmpty));
    ways.add(new Way(HYBRID, buffered(blocks, hybrid), hybrid::awaitEmpty));
    ways.add(new Way(SSD, buffered(blocks, ssd), ssd::awaitEmpty));
  }

  private static IorRun buffered(IorPlan plan, ServedCluster cluster) throws IOException {
    return IorRun.ofThreads(
        plan, new IorTarget(IorTarget.Api.FOREBAY, cluster.uri(INSTANCE), "/" + FILE));
  }

  private static void addStraight(List<Way> ways, Ground ground) throws IOException {
    Path device = ground.scratch().onDevice("fig6-straight");
    long data = WRITERS * ground.scale().tierBytes();
    ways.add(straight(STRAIGHT, blocks(ground), IorTarget.Api.POSIX, device));
    IorLayout inOrder = new IorLayout(1, data, SEQUENTIAL_BYTES, 1, false, false, ground.seed());
    ways.add(straight(SEQUENTIAL, inOrder, IorTarget.Api.POSIX, device));
    IorLayout atRandom = new IorLayout(1, data, TRANSFER_BYTES, 1, false, true, ground.seed());
    ways.add(straight(RANDOM, atRandom, IorTarget.Api.POSIX, device));
    long part = Math.max(TRANSFER_BYTES, ground.scale().tierBytes() / SLOW_PART);
    IorLayout few = new IorLayout(WRITERS, part, TRANSFER_BYTES, 1, false, false, ground.seed());
    ways.add(straight(SLOW, few, IorTarget.Api.SLOW, device));
  }

  private static Way straight(String name, IorLayout layout, IorTarget.Api api, Path device)
      throws IOException {
    IorPlan plan = IorPlan.once(layout, IorOption.WRITE, IorOption.FSYNC);
    return new Way(
        name, IorRun.ofThreads(plan, new IorTarget(api, device.toString(), FILE)), () -> {});
  }

  /** Each writer has half of the file. */
  private static IorLayout blocks(Ground ground) {
    return new IorLayout(
        WRITERS, ground.scale().tierBytes(), TRANSFER_BYTES, 1, false, false, ground.seed());
  }

  /** Every second transfer is of the other writer. */
  private static IorLayout turns(Ground ground) {
    int segments = Math.toIntExact(ground.scale().tierBytes() / TRANSFER_BYTES);
    return new IorLayout(
        WRITERS, TRANSFER_BYTES, TRANSFER_BYTES, segments, false, false, ground.seed());
  }

  private static List<Rounds.Trial<Double>> trials(List<Way> ways) {
    List<Rounds.Trial<Double>> trials = new ArrayList<>();
    for (Way way : ways) {
      trials.add(
          () -> {
            double rate = way.run.write().mibPerSecond();
            way.run.deleteFiles();
            way.after.run();
            return rate;
          });
    }
    return trials;
  }

  private Findings findings(List<Way> ways, List<List<Double>> measured) {
    Map<String, Double> medians = new LinkedHashMap<>();
    List<Result> results = new ArrayList<>();
    List<BarChart.Bar> bars = new ArrayList<>();
    for (int i = 0; i < ways.size(); i++) {
      String name = ways.get(i).name;
      Samples samples = Samples.of(measured.get(i), Double::doubleValue);
      medians.put(name, samples.median());
      bars.add(new BarChart.Bar(name, samples.median()));
      results.add(Result.of(name, Rate.MIB_PER_SECOND, Better.HIGHER, samples));
    }
    BarChart chart =
        new BarChart(
            "Two writers, one shared file, 16 KiB transfers, MiB/s",
            "what is on a device at the end is forced there",
            List.of(new BarChart.Group("", bars)));
    return new Findings(name(), results, comparisons(medians), chart);
  }

  private static List<Comparison> comparisons(Map<String, Double> medians) {
    return List.of(
        compared(medians, "memory by half memory", "3.24 (980 : 302)", MEMORY, HYBRID),
        compared(medians, "half memory by SSD", "1.52 (302 : 199)", HYBRID, SSD),
        compared(medians, "memory by SSD", "4.93 (980 : 199)", MEMORY, SSD),
        compared(medians, "log on SSD by one writer in order", "0.97", SSD, SEQUENTIAL),
        compared(medians, "log on SSD by two writers straight", "1.19", SSD, STRAIGHT),
        compared(medians, "memory by two writers straight", "5.88 (980 : 167)", MEMORY, STRAIGHT),
        compared(
            medians, "straight to SSD by straight to slow", "6.15 (167 : 27)", STRAIGHT, SLOW));
  }

  private static Comparison compared(
      Map<String, Double> medians, String what, String paper, String above, String below) {
    return new Comparison(
        what,
        paper,
        medians.getOrDefault(above, Double.NaN) / medians.getOrDefault(below, Double.NaN));
  }
}
