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
import io.forebay.ring.PlacementSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Lang et al., Fig. 5: transfers that fit the stripes of the file (4 MiB) or do not (4 MB), to one
 * shared file or a file per task, written and read by the next task; through Forebay with stripes
 * of 4 MiB over four servers, and straight to the slow store.
 */
final class PatternExperiment implements Experiment {
  private static final int TASKS = 4;
  private static final int ALIGNED_BYTES = 4 << 20;
  private static final int UNALIGNED_BYTES = 4_000_000;

  /** The slow store's rate does not depend on the amount. */
  private static final int SLOW_PART = 4;

  private static final String INSTANCE = "pattern";

  /** One of the four patterns. */
  private record Pattern(boolean shared, boolean aligned) {
    static final List<Pattern> ALL =
        List.of(
            new Pattern(true, true),
            new Pattern(true, false),
            new Pattern(false, true),
            new Pattern(false, false));

    String words() {
      return (shared ? "shared" : "unique") + ", " + (aligned ? "aligned" : "unaligned");
    }

    IorLayout layout(int transfers, long seed) {
      int bytes = aligned ? ALIGNED_BYTES : UNALIGNED_BYTES;
      return new IorLayout(TASKS, (long) transfers * bytes, bytes, 1, !shared, false, seed);
    }
  }

  /** In MiB/s. */
  private record Rates(double write, double read) {}

  /** A pattern on a target. */
  private record Way(String where, Pattern pattern, IorRun run) {}

  /** Called when files are deleted. */
  private interface Emptied {
    void await() throws IOException, InterruptedException;
  }

  private static final String FOREBAY = "Forebay";
  private static final String STRAIGHT = "straight";

  @Override
  public String name() {
    return "pattern";
  }

  @Override
  public Findings run(Ground ground) throws IOException, InterruptedException {
    ground.progress().measuring("pattern: aligned and unaligned, shared and unique");
    ExperimentScale scale = ground.scale();
    // Twice the expected size; pieces that are written twice on a busy machine go to the device.
    long room = scale.roomBytes(2L * scale.patternTransfers() * ALIGNED_BYTES);
    List<Way> ways = new ArrayList<>();
    try (ServedCluster cluster = ground.start("pattern-ring", TASKS, room, room)) {
      try {
        cluster.create(INSTANCE, options());
        Path store = ground.scratch().onDevice("pattern-store");
        for (Pattern pattern : Pattern.ALL) ways.add(buffered(ground, cluster, pattern));
        for (Pattern pattern : Pattern.ALL) ways.add(straight(ground, store, pattern));
        List<Rounds.Trial<Rates>> trials = new ArrayList<>();
        for (Way way : ways) trials.add(() -> measure(way, cluster::awaitEmpty));
        return findings(ways, scale.measure(trials));
      } finally {
        for (Way way : ways) way.run.close();
      }
    }
  }

  private static InstanceOptions options() {
    return InstanceOptions.defaults()
        .withCopies(1)
        .withPlacement(new PlacementSpec(PlacementSpec.Kind.STRIPES, ALIGNED_BYTES, 0));
  }

  private static Way buffered(Ground ground, ServedCluster cluster, Pattern pattern)
      throws IOException {
    IorTarget target =
        new IorTarget(IorTarget.Api.FOREBAY, cluster.uri(INSTANCE), "/" + file(pattern));
    return way(ground, FOREBAY, pattern, ground.scale().patternTransfers(), target);
  }

  private static Way straight(Ground ground, Path store, Pattern pattern) throws IOException {
    IorTarget target = new IorTarget(IorTarget.Api.SLOW, store.toString(), file(pattern));
    int transfers = Math.max(1, ground.scale().patternTransfers() / SLOW_PART);
    return way(ground, STRAIGHT, pattern, transfers, target);
  }

  private static Way way(
      Ground ground, String where, Pattern pattern, int transfers, IorTarget target)
      throws IOException {
    IorPlan plan =
        IorPlan.once(pattern.layout(transfers, ground.seed()), IorOption.FSYNC, IorOption.REORDER);
    return new Way(where, pattern, IorRun.ofThreads(plan, target));
  }

  private static String file(Pattern pattern) {
    return pattern.words().replace(", ", "-");
  }

  private static Rates measure(Way way, Emptied emptied) throws IOException, InterruptedException {
    double write = way.run.write().mibPerSecond();
    double read = way.run.read().mibPerSecond();
    way.run.deleteFiles();
    emptied.await();
    return new Rates(write, read);
  }

  private Findings findings(List<Way> ways, List<List<Rates>> measured) {
    List<Result> results = new ArrayList<>();
    List<BarChart.Group> groups = new ArrayList<>();
    for (String where : List.of(FOREBAY, STRAIGHT)) {
      for (boolean write : List.of(true, false)) {
        String access = where + (write ? ", write" : ", read");
        List<BarChart.Bar> bars = new ArrayList<>();
        for (int i = 0; i < ways.size(); i++) {
          if (!ways.get(i).where.equals(where)) continue;
          Samples samples = Samples.of(measured.get(i), rate(write));
          String words = ways.get(i).pattern.words();
          bars.add(new BarChart.Bar(words, samples.median()));
          results.add(
              Result.of(access + ", " + words, Rate.MIB_PER_SECOND, Better.HIGHER, samples));
        }
        groups.add(new BarChart.Group(access, bars));
      }
    }
    BarChart chart =
        new BarChart(
            "4 tasks, 4 MiB (aligned) or 4 MB (unaligned) transfers, MiB/s",
            "straight: " + SlowStore.LABEL,
            groups);
    return new Findings(name(), results, comparisons(ways, measured), chart);
  }

  private static ToDoubleFunction<Rates> rate(boolean write) {
    return write ? Rates::write : Rates::read;
  }

  private static List<Comparison> comparisons(List<Way> ways, List<List<Rates>> measured) {
    List<Comparison> comparisons = new ArrayList<>();
    Pattern best = new Pattern(true, true);
    for (String where : List.of(FOREBAY, STRAIGHT)) {
      for (boolean write : List.of(true, false)) {
        String access = where + (write ? ", write: " : ", read: ");
        double bestRate = median(ways, measured, where, best, write);
        double unique = median(ways, measured, where, new Pattern(false, true), write);
        double unaligned = median(ways, measured, where, new Pattern(true, false), write);
        comparisons.add(
            new Comparison(access + "unique by shared", "0.75 to 0.80", unique / bestRate));
        comparisons.add(
            new Comparison(
                access + "unaligned by aligned",
                write ? "< 1, no figure" : "< 1, more so than written",
                unaligned / bestRate));
      }
    }
    return comparisons;
  }

  private static double median(
      List<Way> ways, List<List<Rates>> measured, String where, Pattern pattern, boolean write) {
    for (int i = 0; i < ways.size(); i++) {
      if (ways.get(i).where.equals(where) && ways.get(i).pattern.equals(pattern)) {
        return Samples.of(measured.get(i), rate(write)).median();
      }
    }
    throw new IllegalStateException("not measured: " + where + ", " + pattern);
  }
}
