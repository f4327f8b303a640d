// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.metarates;

import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.Scratch;
import io.forebay.bench.names.LocalTree;
import io.forebay.bench.names.NameTree;
import io.forebay.bench.names.RingTree;
import io.forebay.bench.process.ServedCluster;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.Instance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Operations on names a second, by several clients of a ring of three servers with two copies of
 * everything, compared with a local directory in memory, which keeps one copy and sends no
 * messages.
 */
public final class MetaratesBenchmark implements Benchmark {
  private static final int SERVERS = 3;
  private static final int SEGMENT_BYTES = 4 << 20;
  private static final long MEMORY_BYTES = 256L << 20;
  private static final String LOCAL = "local directory";

  /**
   * How much is measured.
   *
   * @param clients how many clients there are, case by case
   * @param files that all clients together make in one measurement
   */
  record Scale(int rounds, int warmUps, List<Integer> clients, int files) {
    static Scale full() {
      return new Scale(Rounds.COUNT_MIN, 2, List.of(1, 4, 16), 8000);
    }

    static Scale quick() {
      return new Scale(Rounds.COUNT_MIN, 1, List.of(1, 16), 800);
    }
  }

  /** Where clients make their files. */
  private enum Layout {
    ONE_DIRECTORY("one directory", Instance.Access.SHARED, false),
    OWN_DIRECTORIES("own directories", Instance.Access.SHARED, true),
    PRIVATE_TREES("private trees", Instance.Access.PRIVATE, true);

    final String words;
    final Instance.Access access;
    final boolean ownDirectories;

    Layout(String words, Instance.Access access, boolean ownDirectories) {
      this.words = words;
      this.access = access;
      this.ownDirectories = ownDirectories;
    }
  }

  @Override
  public String name() {
    return "metarates";
  }

  @Override
  public Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    return run(options.quick() ? Scale.quick() : Scale.full(), options, progress);
  }

  Outcome run(Scale scale, Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    ServedCluster.Shape shape = new ServedCluster.Shape(SERVERS, 1, MEMORY_BYTES, 0, SEGMENT_BYTES);
    try (Scratch scratch =
        new Scratch(options.directory(), MEMORY_BYTES, (SERVERS + 1) * MEMORY_BYTES)) {
      Path local = scratch.inMemory("local");
      List<Result> results = new ArrayList<>();
      try (ServedCluster cluster = ServedCluster.start(shape, scratch.onDevice("ring"))) {
        for (Layout layout : Layout.values()) {
          String instance = layout.words.replace(' ', '-');
          cluster.create(instance, InstanceOptions.defaults().withAccess(layout.access));
          for (int clients : scale.clients()) {
            String words = clients + (clients == 1 ? " client, " : " clients, ") + layout.words;
            progress.measuring(words);
            try (Crew ring = ringCrew(cluster, layout, clients, scale.files());
                Crew beside = localCrew(local, layout, clients, scale.files())) {
              results.addAll(
                  results(
                      words,
                      Rounds.run(
                          scale.rounds(),
                          scale.warmUps(),
                          List.of(ring::measure, beside::measure))));
            }
          }
        }
      }
      return new Outcome(results, scratch.notes());
    }
  }

  private static Crew ringCrew(ServedCluster cluster, Layout layout, int clients, int files)
      throws IOException {
    List<NameTree> trees = RingTree.onHosts(cluster, layout.words.replace(' ', '-'), clients);
    return new Crew(trees, layout.ownDirectories, files / clients);
  }

  private static Crew localCrew(Path local, Layout layout, int clients, int files)
      throws IOException {
    List<NameTree> trees = new ArrayList<>();
    Path root = Files.createDirectory(local.resolve(layout.name() + clients));
    for (int i = 0; i < clients; i++) trees.add(new LocalTree(root));
    return new Crew(trees, layout.ownDirectories, files / clients);
  }

  private static List<Result> results(String words, List<List<Figures>> measured) {
    return List.of(
        result("create, " + words, measured, Figures::create),
        result("stat, " + words, measured, Figures::stat),
        result("utime, " + words, measured, Figures::utime),
        result("unlink, " + words, measured, Figures::unlink));
  }

  private static Result result(
      String name, List<List<Figures>> measured, ToDoubleFunction<Figures> figure) {
    return Result.of(name, Rate.PER_SECOND, Better.HIGHER, Samples.of(measured.get(0), figure))
        .against(LOCAL, Samples.of(measured.get(1), figure));
  }
}
