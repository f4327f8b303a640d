// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.mdtest;

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
import io.forebay.bench.process.MountedDirectories;
import io.forebay.bench.process.MountedDirectories.Caching;
import io.forebay.bench.process.MountedDirectories.Mounting;
import io.forebay.bench.process.ServedCluster;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.Instance;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * mdtest's rates by more and more clients of a ring of three servers with two copies of everything:
 * in one shared tree and in private ones, which are spread over the ring, through the client and
 * through mounts.
 */
public final class MdtestBenchmark implements Benchmark {
  private static final int SERVERS = 3;
  private static final int SEGMENT_BYTES = 4 << 20;
  private static final long MEMORY_BYTES = 256L << 20;

  /** As in IO500's hard case, which is meant to be too small for a block. */
  private static final int FILE_BYTES = 3901;

  /**
   * How much is measured.
   *
   * @param clients how many clients there are, case by case
   * @param files that all clients together make in one measurement
   */
  record Scale(int rounds, int warmUps, List<Integer> clients, int files) {
    static Scale full() {
      return new Scale(Rounds.COUNT_MIN, 1, List.of(1, 2, 4, 8, 16), 960);
    }

    static Scale quick() {
      return new Scale(Rounds.COUNT_MIN, 1, List.of(1, 16), 160);
    }
  }

  /** How clients access their trees. */
  private enum Way {
    CLIENT_SHARED("client, shared tree", Instance.Access.SHARED, null, ""),
    CLIENT_PRIVATE("client, private trees", Instance.Access.PRIVATE, CLIENT_SHARED, "shared tree"),
    MOUNT_SHARED("mount, shared tree", Instance.Access.SHARED, CLIENT_SHARED, "client"),
    MOUNT_PRIVATE("mount, private trees", Instance.Access.PRIVATE, MOUNT_SHARED, "shared tree");

    final String words;
    final Instance.Access access;
    final @Nullable Way baseline;
    final String baselineName;

    Way(String words, Instance.Access access, @Nullable Way baseline, String baselineName) {
      this.words = words;
      this.access = access;
      this.baseline = baseline;
      this.baselineName = baselineName;
    }

    boolean isMount() {
      return this == MOUNT_SHARED || this == MOUNT_PRIVATE;
    }

    boolean isShared() {
      return access == Instance.Access.SHARED;
    }

    String instance() {
      return isShared() ? "shared" : "private";
    }
  }

  @Override
  public String name() {
    return "mdtest";
  }

  @Override
  public Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    return run(options.quick() ? Scale.quick() : Scale.full(), options, progress);
  }

  Outcome run(Scale scale, Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    MountedDirectories.requirePossible();
    int most = Collections.max(scale.clients());
    ServedCluster.Shape shape = new ServedCluster.Shape(SERVERS, 1, MEMORY_BYTES, 0, SEGMENT_BYTES);
    try (Scratch scratch = new Scratch(options.directory(), MEMORY_BYTES, SERVERS * MEMORY_BYTES);
        ServedCluster cluster = ServedCluster.start(shape, scratch.onDevice("ring"))) {
      List<Mounting> wanted = new ArrayList<>();
      for (Way way : List.of(Way.MOUNT_SHARED, Way.MOUNT_PRIVATE)) {
        cluster.create(way.instance(), InstanceOptions.defaults().withAccess(way.access));
        for (int i = 0; i < most; i++) {
          wanted.add(
              Mounting.instance(cluster.uri(way.instance()), RingTree.host(i), Caching.AUTO));
        }
      }
      List<Result> results = new ArrayList<>();
      try (MountedDirectories mounts =
          MountedDirectories.mount(wanted, scratch.onDevice("mounts"))) {
        Ground ground = new Ground(scale, cluster, mounts, most);
        for (int clients : scale.clients()) {
          progress.measuring(words(clients));
          results.addAll(results(clients, ground.measure(clients)));
        }
      }
      return new Outcome(results, scratch.notes());
    }
  }

  private static String words(int clients) {
    return clients + (clients == 1 ? " client" : " clients");
  }

  private record Ground(
      Scale scale, ServedCluster cluster, MountedDirectories mounts, int mountsPerWay) {
    List<List<MdtestRun.Figures>> measure(int clients) throws IOException, InterruptedException {
      List<MdtestRun> runs = new ArrayList<>();
      try {
        List<Rounds.Trial<MdtestRun.Figures>> trials = new ArrayList<>();
        for (Way way : Way.values()) {
          MdtestRun run =
              new MdtestRun(trees(way, clients), way.isShared(), scale.files / clients, FILE_BYTES);
          runs.add(run);
          trials.add(run::measure);
        }
        return Rounds.run(scale.rounds, scale.warmUps, trials);
      } finally {
        for (MdtestRun run : runs) run.close();
      }
    }

    private List<NameTree> trees(Way way, int clients) throws IOException {
      if (!way.isMount()) return RingTree.onHosts(cluster, way.instance(), clients);
      int first = way.isShared() ? 0 : mountsPerWay;
      List<NameTree> trees = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        trees.add(new LocalTree(mounts.directories().get(first + i)));
      }
      return trees;
    }
  }

  private static List<Result> results(int clients, List<List<MdtestRun.Figures>> measured) {
    List<Result> results = new ArrayList<>();
    for (Way way : Way.values()) {
      String words = ", " + words(clients) + ", " + way.words;
      results.add(result("create" + words, way, measured, MdtestRun.Figures::create));
      results.add(result("stat" + words, way, measured, MdtestRun.Figures::stat));
      results.add(result("read" + words, way, measured, MdtestRun.Figures::read));
      results.add(result("remove" + words, way, measured, MdtestRun.Figures::remove));
    }
    return results;
  }

  private static Result result(
      String name,
      Way way,
      List<List<MdtestRun.Figures>> measured,
      ToDoubleFunction<MdtestRun.Figures> figure) {
    Result rate = Result.of(name, Rate.PER_SECOND, Better.HIGHER, samples(way, measured, figure));
    return way.baseline == null
        ? rate
        : rate.against(way.baselineName, samples(way.baseline, measured, figure));
  }

  private static Samples samples(
      Way way, List<List<MdtestRun.Figures>> measured, ToDoubleFunction<MdtestRun.Figures> figure) {
    return Samples.of(measured.get(List.of(Way.values()).indexOf(way)), figure);
  }
}
