// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.profile;

import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.Scratch;
import io.forebay.bench.ior.IorLayout;
import io.forebay.bench.ior.IorOption;
import io.forebay.bench.ior.IorPlan;
import io.forebay.bench.ior.IorRun;
import io.forebay.bench.ior.IorTarget;
import io.forebay.bench.names.LocalTree;
import io.forebay.bench.names.NameCrew;
import io.forebay.bench.process.MountedDirectories;
import io.forebay.bench.process.MountedDirectories.Caching;
import io.forebay.bench.process.MountedDirectories.Mounting;
import io.forebay.bench.process.ServedCluster;
import io.forebay.client.InstanceOptions;
import io.forebay.client.profile.Call;
import io.forebay.client.profile.ProgramName;
import io.forebay.client.profile.count.Profiler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The same writes, reads and names through two mounts of an instance, one with a profile and one
 * without, in turn; and the time to count one call. One server, one copy.
 */
public final class ProfileBenchmark implements Benchmark {
  private static final String INSTANCE = "profiled";
  private static final int SEGMENT_BYTES = 16 << 20;
  private static final int SPARE_SEGMENTS = 8;
  private static final int COUNTED_CALLS = 1 << 20;
  private static final long MIB = 1 << 20;

  /** Counting may cost this much of the throughput. */
  private static final double AIM = 0.99;

  /**
   * How much is measured.
   *
   * @param bytes that one measurement moves in pieces of 1 MiB
   * @param shortBytes the same in pieces of 4 KiB
   * @param files that are created and removed
   */
  record Scale(int rounds, int warmUps, long bytes, long shortBytes, int files) {
    static Scale full() {
      return new Scale(21, 3, 256L << 20, 64L << 20, 2000);
    }

    static Scale quick() {
      return new Scale(9, 1, 32L << 20, 4L << 20, 150);
    }
  }

  private record Rates(double write, double read) {}

  @Override
  public String name() {
    return "profile";
  }

  @Override
  public Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    return run(options.quick() ? Scale.quick() : Scale.full(), options, progress);
  }

  Outcome run(Scale scale, Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    MountedDirectories.requirePossible();
    long memoryBytes = 3 * scale.bytes() + (long) SPARE_SEGMENTS * SEGMENT_BYTES;
    try (Scratch scratch = new Scratch(options.directory(), memoryBytes, memoryBytes)) {
      ServedCluster.Shape shape =
          new ServedCluster.Shape(1, 1, memoryBytes, memoryBytes, SEGMENT_BYTES);
      try (ServedCluster cluster = ServedCluster.start(shape, scratch.onDevice("ring"))) {
        cluster.create(INSTANCE, InstanceOptions.defaults().withCopies(1));
        String uri = cluster.uri(INSTANCE);
        List<Mounting> wanted =
            List.of(Mounting.profiled(uri, Caching.NONE), Mounting.instance(uri, "", Caching.NONE));
        try (MountedDirectories mounts =
            MountedDirectories.mount(wanted, scratch.onDevice("mounts"))) {
          List<Path> both = mounts.directories();
          List<Result> results = new ArrayList<>();
          for (int transferBytes : List.of((int) MIB, 4 << 10)) {
            progress.measuring("writes and reads of " + Rate.sizeName(transferBytes));
            long bytes = transferBytes == MIB ? scale.bytes() : scale.shortBytes();
            IorLayout layout =
                new IorLayout(1, bytes, transferBytes, 1, false, false, options.seed());
            results.addAll(accesses(scale, layout, both, cluster));
          }
          progress.measuring("names");
          results.add(names(scale, both));
          progress.measuring("counting alone");
          results.add(countingAlone(scale));
          return new Outcome(results, scratch.notes());
        }
      }
    }
  }

  private static List<Result> accesses(
      Scale scale, IorLayout layout, List<Path> both, ServedCluster cluster)
      throws IOException, InterruptedException {
    List<Rounds.Trial<Rates>> trials = new ArrayList<>();
    for (Path directory : both) trials.add(() -> rates(layout, directory, cluster));
    List<List<Rates>> measured = Rounds.run(scale.rounds(), scale.warmUps(), trials);
    String size = Rate.sizeName(layout.transferBytes());
    return List.of(
        result("write " + size, measured, Rates::write),
        result("read " + size, measured, Rates::read));
  }

  private static Result result(
      String name, List<List<Rates>> measured, ToDoubleFunction<Rates> figure) {
    return Result.of(name, Rate.MIB_PER_SECOND, Better.HIGHER, Samples.of(measured.get(0), figure))
        .against("without profile", Samples.of(measured.get(1), figure))
        .aimingAt(AIM);
  }

  private static Rates rates(IorLayout layout, Path directory, ServedCluster cluster)
      throws IOException, InterruptedException {
    IorTarget target = new IorTarget(IorTarget.Api.POSIX, directory.toString(), "file");
    try (IorRun run = IorRun.ofThreads(IorPlan.once(layout, IorOption.FSYNC), target)) {
      double mib = (double) layout.totalBytes() / MIB;
      double write = mib / run.write().totalSeconds();
      double read = mib / run.read().totalSeconds();
      run.deleteFiles();
      cluster.awaitEmpty();
      return new Rates(write, read);
    }
  }

  private static Result names(Scale scale, List<Path> both)
      throws IOException, InterruptedException {
    List<Rounds.Trial<Double>> trials = new ArrayList<>();
    for (Path directory : both) {
      trials.add(
          () -> {
            try (NameCrew crew = new NameCrew(List.of(new LocalTree(directory)))) {
              return crew.rate(
                  scale.files(),
                  (client, number, item) -> {
                    client.create("/n" + item);
                    client.stat("/n" + item);
                    client.unlink("/n" + item);
                  });
            }
          });
    }
    List<Samples> rates = Rounds.figures(scale.rounds(), scale.warmUps(), trials);
    return Result.of("create, stat, unlink", Rate.PER_SECOND, Better.HIGHER, rates.get(0))
        .against("without profile", rates.get(1))
        .aimingAt(AIM);
  }

  private static Result countingAlone(Scale scale) throws IOException, InterruptedException {
    List<Samples> nanos =
        Rounds.figures(scale.rounds(), scale.warmUps(), List.of(ProfileBenchmark::countNanos));
    return Result.of("counting one access", Rate.NANOS, Better.LOWER, nanos.get(0));
  }

  private static double countNanos() {
    Profiler profiler = new Profiler(8 * MIB, false, file -> "", System::nanoTime);
    int program = profiler.program(new ProgramName(0, "bench"));
    long start = System.nanoTime();
    for (int i = 0; i < COUNTED_CALLS; i++) {
      Profiler.Access access = new Profiler.Access(1, 1, profiler.now());
      profiler.accessed(program, Call.WRITE, 1 + i % 4, access, i * 4096L, 4096);
    }
    profiler.counted(INSTANCE);
    return (double) (System.nanoTime() - start) / COUNTED_CALLS;
  }
}
