// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.mount;

import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Rounds;
import io.forebay.bench.Scratch;
import io.forebay.bench.ior.IorLayout;
import io.forebay.bench.ior.IorOption;
import io.forebay.bench.ior.IorPlan;
import io.forebay.bench.ior.IorRun;
import io.forebay.bench.ior.IorTarget;
import io.forebay.bench.process.MountedDirectories;
import io.forebay.bench.process.MountedDirectories.Caching;
import io.forebay.bench.process.MountedDirectories.Mounting;
import io.forebay.bench.process.ServedCluster;
import io.forebay.client.InstanceOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One program that writes a file from its beginning to its end, forces and closes it, and reads it
 * again when the kernel has dropped it from its cache: through a mount with each way of caching,
 * through the client alone, through a pass-through file system to memory, and on the local disk.
 * One server, one copy, as in the benchmark of ingest.
 */
public final class MountBenchmark implements Benchmark {
  private static final String INSTANCE = "mounted";
  private static final int SEGMENT_BYTES = 16 << 20;
  private static final int SPARE_SEGMENTS = 8;

  /**
   * How much is measured.
   *
   * @param bytes that one measurement moves in pieces of 1 MiB
   * @param shortBytes the same in pieces of 4 KiB
   */
  record Scale(int rounds, int warmUps, long bytes, long shortBytes) {
    static Scale full() {
      return new Scale(7, 1, 512L << 20, 64L << 20);
    }

    static Scale quick() {
      return new Scale(Rounds.COUNT_MIN, 1, 64L << 20, 8L << 20);
    }
  }

  @Override
  public String name() {
    return "mount";
  }

  @Override
  public Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    return run(options.quick() ? Scale.quick() : Scale.full(), options, progress);
  }

  Outcome run(Scale scale, Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    MountedDirectories.requirePossible();
    // The file that is measured and one that is being deleted.
    long memoryBytes = 2 * scale.bytes() + (long) SPARE_SEGMENTS * SEGMENT_BYTES;
    try (Scratch scratch =
        new Scratch(options.directory(), 2 * memoryBytes, memoryBytes + scale.bytes())) {
      List<Result> results = new ArrayList<>();
      ServedCluster.Shape shape =
          new ServedCluster.Shape(1, 1, memoryBytes, memoryBytes, SEGMENT_BYTES);
      try (ServedCluster cluster = ServedCluster.start(shape, scratch.onDevice("ring"))) {
        cluster.create(INSTANCE, InstanceOptions.defaults().withCopies(1));
        Path memory = scratch.inMemory("passed-through");
        Path disk = scratch.onDevice("disk");
        try (MountedDirectories mounts =
            MountedDirectories.mount(
                mountings(cluster.uri(INSTANCE), memory), scratch.onDevice("mounts"))) {
          for (int transferBytes : List.of(1 << 20, 4 << 10)) {
            boolean large = transferBytes == 1 << 20;
            IorLayout layout =
                new IorLayout(
                    1,
                    large ? scale.bytes() : scale.shortBytes(),
                    transferBytes,
                    1,
                    false,
                    false,
                    options.seed());
            progress.measuring("writes and reads of " + Rate.sizeName(transferBytes));
            try (Ways ways = new Ways(layout, mounts, cluster, disk, INSTANCE)) {
              results.addAll(
                  new Figures(transferBytes, layout.totalBytes(), ways.measure(scale)).results());
            }
          }
        }
      }
      return new Outcome(results, scratch.notes());
    }
  }

  /** The instance with each way of caching, then the pass-through with each. */
  private static List<Mounting> mountings(String uri, Path memory) {
    List<Mounting> all = new ArrayList<>();
    for (Caching caching : Caching.values()) all.add(Mounting.instance(uri, "", caching));
    for (Caching caching : Caching.values()) all.add(Mounting.passThrough(memory, caching));
    return all;
  }

  static IorRun run(IorLayout layout, IorTarget target) throws IOException {
    return IorRun.ofThreads(IorPlan.once(layout, IorOption.FSYNC), target);
  }
}
