// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments;

import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Scratch;
import io.forebay.bench.experiments.report.Findings;
import io.forebay.bench.process.ServedCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** All experiments by their names. */
public final class Experiments {
  private static final List<Experiment> ALL =
      List.of(
          new BurstExperiment(List.of(1, 2, 4)),
          new TierExperiment(),
          new PatternExperiment(),
          new NetcdfExperiment(),
          new LogMappingExperiment(),
          new Geos5Experiment(Geos5Experiment.RANKS),
          new CouplingExperiment(),
          new IopsExperiment(List.of(1, 2, 4)),
          new PrivateExperiment(List.of(1, 2, 4)));

  /** The most memory in use at one time: the four seats of the bursts. */
  private static final int MEMORY_SHARES = 4;

  private Experiments() {}

  public static List<String> names() {
    return ALL.stream().map(Experiment::name).toList();
  }

  /**
   * Runs the named ones, or all if none is named.
   *
   * @throws IllegalArgumentException if there is no experiment of a name
   */
  public static List<Findings> run(
      List<String> names, Benchmark.Options options, Benchmark.Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    ExperimentScale scale = options.quick() ? ExperimentScale.quick() : ExperimentScale.full();
    return run(chosen(names), scale, ServedCluster::start, options, progress);
  }

  private static List<Experiment> chosen(List<String> names) {
    if (names.isEmpty()) return ALL;
    List<Experiment> chosen = new ArrayList<>();
    for (String name : names) {
      chosen.add(
          ALL.stream()
              .filter(each -> each.name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "there is no experiment '%s'; there are %s"
                              .formatted(name, String.join(", ", names())))));
    }
    return chosen;
  }

  static List<Findings> run(
      List<Experiment> experiments,
      ExperimentScale scale,
      Experiment.Clusters clusters,
      Benchmark.Options options,
      Benchmark.Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    long memoryBytes =
        MEMORY_SHARES * Math.max(scale.roomBytes(scale.burstBytes()), scale.tierBytes());
    try (Scratch scratch = new Scratch(options.directory(), scale.deviceBytes(), memoryBytes)) {
      Experiment.Ground ground =
          new Experiment.Ground(scale, scratch, clusters, options.seed(), progress);
      List<Findings> findings = new ArrayList<>();
      for (Experiment experiment : experiments) findings.add(experiment.run(ground));
      return findings;
    }
  }
}
