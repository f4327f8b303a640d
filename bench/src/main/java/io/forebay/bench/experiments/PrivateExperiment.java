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
import io.forebay.bench.metarates.Crew;
import io.forebay.bench.metarates.Figures;
import io.forebay.bench.names.RingTree;
import io.forebay.bench.process.CpuTime;
import io.forebay.bench.process.ServedCluster;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.Instance;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Bard, "MD performance scales well in private mode": operations on names a second by more and more
 * clients, each as if on a compute node of its own, in private trees and in one shared tree.
 */
final class PrivateExperiment implements Experiment {
  /** Of all clients together: a part of what a writer has in the tiers' experiment. */
  private static final long FILE_PART = 32 << 10;

  /** For the names of all files, at each seat. */
  private static final long NAMES_BYTES = 64 << 20;

  private static final Map<String, ToDoubleFunction<Figures>> OPERATIONS = operations();

  /** The tree that clients make their files in, each in a directory of its own. */
  private enum Layout {
    SHARED("shared tree", Instance.Access.SHARED),
    PRIVATE("private trees", Instance.Access.PRIVATE);

    final String words;
    final Instance.Access access;

    Layout(String words, Instance.Access access) {
      this.words = words;
      this.access = access;
    }

    String instance() {
      return words.replace(' ', '-');
    }
  }

  private record Case(Layout layout, int clients) {
    String label() {
      return "%s, %d %s".formatted(layout.words, clients, clients == 1 ? "client" : "clients");
    }
  }

  /**
   * One measurement.
   *
   * @param cpuMicros of clients and servers, for each operation
   * @param busiestShare the part of all operations on names that the busiest seat answered
   */
  private record Measured(Figures rates, double cpuMicros, double busiestShare) {}

  private final List<Integer> counts;

  /**
   * With these numbers of clients, and as many seats as the most clients.
   *
   * @param counts from few to many
   */
  PrivateExperiment(List<Integer> counts) {
    this.counts = List.copyOf(counts);
  }

  private static Map<String, ToDoubleFunction<Figures>> operations() {
    Map<String, ToDoubleFunction<Figures>> operations = new LinkedHashMap<>();
    operations.put("create", Figures::create);
    operations.put("stat", Figures::stat);
    operations.put("utime", Figures::utime);
    operations.put("unlink", Figures::unlink);
    return operations;
  }

  @Override
  public String name() {
    return "private";
  }

  @Override
  public Findings run(Ground ground) throws IOException, InterruptedException {
    ground.progress().measuring("private: names in private trees and in a shared one");
    int files = (int) Math.max(counts.getLast(), ground.scale().tierBytes() / FILE_PART);
    long room = ground.scale().roomBytes(NAMES_BYTES);
    List<Crew> crews = new ArrayList<>();
    try (ServedCluster cluster = ground.start("private-ring", counts.getLast(), room, room)) {
      try {
        List<Case> cases = new ArrayList<>();
        List<Rounds.Trial<Measured>> trials = new ArrayList<>();
        for (Layout layout : Layout.values()) {
          cluster.create(
              layout.instance(),
              InstanceOptions.defaults().withCopies(1).withAccess(layout.access));
          for (int clients : counts) {
            Crew crew =
                new Crew(
                    RingTree.onHosts(cluster, layout.instance(), clients), true, files / clients);
            crews.add(crew);
            cases.add(new Case(layout, clients));
            trials.add(() -> measure(cluster, crew, files / clients * clients));
          }
        }
        return findings(byCase(cases, ground.scale().measure(trials)));
      } finally {
        for (Crew crew : crews) crew.close();
      }
    }
  }

  private static Measured measure(ServedCluster cluster, Crew crew, int files)
      throws IOException, InterruptedException {
    List<Statuses.Counters> before = cluster.counters();
    long cpuBefore = CpuTime.nanos() + cluster.cpuNanos();
    Figures rates = crew.measure();
    long cpuNanos = CpuTime.nanos() + cluster.cpuNanos() - cpuBefore;
    double cpuMicros = (double) cpuNanos / TimeUnit.MICROSECONDS.toNanos(1);
    return new Measured(
        rates, cpuMicros / ((long) files * OPERATIONS.size()), busiest(before, cluster.counters()));
  }

  private static double busiest(List<Statuses.Counters> before, List<Statuses.Counters> after) {
    long most = 0;
    long sum = 0;
    for (int i = 0; i < after.size(); i++) {
      long operations = after.get(i).nameOps() - before.get(i).nameOps();
      most = Math.max(most, operations);
      sum += operations;
    }
    return (double) most / sum;
  }

  private static Map<Case, List<Measured>> byCase(List<Case> cases, List<List<Measured>> all) {
    Map<Case, List<Measured>> measured = new LinkedHashMap<>();
    for (int i = 0; i < cases.size(); i++) measured.put(cases.get(i), all.get(i));
    return measured;
  }

  private Findings findings(Map<Case, List<Measured>> measured) {
    List<Result> results = new ArrayList<>();
    List<BarChart.Group> groups = new ArrayList<>();
    OPERATIONS.forEach(
        (operation, rate) -> {
          List<BarChart.Bar> bars = new ArrayList<>();
          measured.forEach(
              (each, all) -> {
                Samples samples = Samples.of(all, one -> rate.applyAsDouble(one.rates));
                bars.add(new BarChart.Bar(each.label(), samples.median()));
                results.add(
                    Result.of(
                        operation + ", " + each.label(), Rate.PER_SECOND, Better.HIGHER, samples));
              });
          groups.add(new BarChart.Group(operation, bars));
        });
    measured.forEach(
        (each, all) ->
            results.add(
                Result.of(
                    "CPU per operation, " + each.label(),
                    "us",
                    Better.LOWER,
                    Samples.of(all, Measured::cpuMicros))));
    measured.forEach(
        (each, all) ->
            results.add(
                Result.of(
                    "share of the busiest seat, " + each.label(),
                    "of all",
                    Better.LOWER,
                    Samples.of(all, Measured::busiestShare))));
    BarChart chart =
        new BarChart(
            "Operations on names a second",
            "of all clients together, %d seats".formatted(counts.getLast()),
            groups);
    return new Findings(name(), results, comparisons(measured), chart);
  }

  private List<Comparison> comparisons(Map<Case, List<Measured>> measured) {
    int most = counts.getLast();
    int least = counts.getFirst();
    List<Comparison> comparisons = new ArrayList<>();
    OPERATIONS.forEach(
        (operation, figure) -> {
          ToDoubleFunction<Measured> rate = one -> figure.applyAsDouble(one.rates);
          comparisons.add(
              new Comparison(
                  "%s, private trees: %d clients by %d".formatted(operation, most, least),
                  "scales with the nodes, no figure",
                  median(measured, Layout.PRIVATE, most, rate)
                      / median(measured, Layout.PRIVATE, least, rate)));
          comparisons.add(
              new Comparison(
                  "%s, shared tree: %d clients by %d".formatted(operation, most, least),
                  "not told",
                  median(measured, Layout.SHARED, most, rate)
                      / median(measured, Layout.SHARED, least, rate)));
          comparisons.add(
              new Comparison(
                  "%s, %d clients: private trees by shared tree".formatted(operation, most),
                  "> 1, no figure",
                  median(measured, Layout.PRIVATE, most, rate)
                      / median(measured, Layout.SHARED, most, rate)));
        });
    comparisons.add(
        new Comparison(
            "CPU per operation, private trees: %d clients by %d".formatted(most, least),
            "not told",
            median(measured, Layout.PRIVATE, most, Measured::cpuMicros)
                / median(measured, Layout.PRIVATE, least, Measured::cpuMicros)));
    comparisons.add(
        new Comparison(
            "share of the busiest seat, shared tree, %d clients".formatted(most),
            "1 (one metadata server)",
            median(measured, Layout.SHARED, most, Measured::busiestShare)));
    comparisons.add(
        new Comparison(
            "share of the busiest seat, private trees, %d clients".formatted(most),
            "1/%d (one for each node)".formatted(most),
            median(measured, Layout.PRIVATE, most, Measured::busiestShare)));
    return comparisons;
  }

  private static double median(
      Map<Case, List<Measured>> measured,
      Layout layout,
      int clients,
      ToDoubleFunction<Measured> figure) {
    return Samples.of(measured.getOrDefault(new Case(layout, clients), List.of()), figure).median();
  }
}
