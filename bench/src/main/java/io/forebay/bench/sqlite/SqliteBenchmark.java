// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.sqlite;

import io.forebay.backing.slow.SlowStore;
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
 * Measurements of small accesses by DataWarp's users: SQLite with a transaction for each row,
 * writes that are forced one by one as IOR does with {@code -Y}, and random reads; on a mount of a
 * ring of two servers with two copies, and on a directory as slow as the slow profile.
 */
public final class SqliteBenchmark implements Benchmark {
  private static final String INSTANCE = "small";
  private static final String SLOW = "slow store";
  private static final int SERVERS = 2;
  private static final int SEGMENT_BYTES = 8 << 20;
  private static final long MEMORY_BYTES = 512L << 20;
  private static final int WRITE_BYTES = 4 << 10;

  /** The aim for the mean time of a forced write. */
  private static final double WRITE_MILLIS_AIM = 1.0;

  private static final int MILLIS_PER_SECOND = 1000;

  /**
   * How much is measured.
   *
   * @param rows that all ranks of a measurement insert together; on the slow store fewer
   * @param writes that are forced one by one
   * @param reads at random, of as many files
   */
  record Scale(
      int rounds, List<Inserts.Case> cases, int rows, int slowRows, int writes, int reads) {
    static Scale full() {
      return new Scale(
          Rounds.COUNT_MIN,
          List.of(
              new Inserts.Case(1, false, "delete"),
              new Inserts.Case(4, true, "delete"),
              new Inserts.Case(4, false, "delete"),
              new Inserts.Case(8, true, "delete"),
              new Inserts.Case(8, false, "delete"),
              new Inserts.Case(1, false, "wal")),
          2500,
          200,
          1000,
          1000);
    }

    static Scale quick() {
      return new Scale(
          Rounds.COUNT_MIN,
          List.of(
              new Inserts.Case(1, false, "delete"),
              new Inserts.Case(4, true, "delete"),
              new Inserts.Case(4, false, "delete")),
          100,
          24,
          100,
          150);
    }
  }

  /** The mount and the slow store, each as a program finds it. */
  private record Places(Path mount, Path slow, Path uncachedMount, Path uncachedSlow) {}

  @Override
  public String name() {
    return "sqlite";
  }

  @Override
  public Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    return run(options.quick() ? Scale.quick() : Scale.full(), options, progress);
  }

  Outcome run(Scale scale, Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    Inserts.requirePossible();
    MountedDirectories.requirePossible();
    ServedCluster.Shape shape =
        new ServedCluster.Shape(SERVERS, 1, MEMORY_BYTES, MEMORY_BYTES, SEGMENT_BYTES);
    try (Scratch scratch =
            new Scratch(options.directory(), SERVERS * MEMORY_BYTES, (SERVERS + 1) * MEMORY_BYTES);
        ServedCluster cluster = ServedCluster.start(shape, scratch.onDevice("ring"))) {
      cluster.create(INSTANCE, InstanceOptions.defaults().withCopies(2));
      String uri = cluster.uri(INSTANCE);
      Path store = scratch.inMemory("store");
      List<Mounting> wanted =
          List.of(
              Mounting.instance(uri, "", Caching.AUTO),
              Mounting.slow(store, Caching.AUTO),
              Mounting.instance(uri, "", Caching.NONE),
              Mounting.slow(store, Caching.NONE));
      try (MountedDirectories mounts =
          MountedDirectories.mount(wanted, scratch.onDevice("mounts"))) {
        List<Path> each = mounts.directories();
        Places places = new Places(each.get(0), each.get(1), each.get(2), each.get(3));
        List<Result> results = new ArrayList<>();
        results.addAll(inserts(scale, places, scratch.onDevice("scripts"), progress));
        results.addAll(forcedWrites(scale, places, options.seed(), progress));
        results.addAll(reads(scale, places, options.seed(), progress));
        List<String> notes = new ArrayList<>(scratch.notes());
        notes.add(SLOW + ": a pass-through file system to memory with the " + SlowStore.LABEL);
        return new Outcome(results, notes);
      }
    }
  }

  private static List<Result> inserts(Scale scale, Places places, Path scripts, Progress progress)
      throws IOException, InterruptedException {
    Inserts inserts = new Inserts(scripts);
    List<Result> results = new ArrayList<>();
    for (Inserts.Case what : scale.cases) {
      progress.measuring("inserts, " + what.words());
      List<Samples> samples =
          Rounds.figures(
              scale.rounds,
              0,
              List.of(
                  () -> inserts.rate(what, scale.rows, places.mount),
                  () -> inserts.rate(what, scale.slowRows, places.slow)));
      results.add(rate("inserts, " + what.words(), samples));
    }
    return results;
  }

  private static Result rate(String name, List<Samples> samples) {
    return Result.of(name, Rate.PER_SECOND, Better.HIGHER, samples.get(0))
        .against(SLOW, samples.get(1));
  }

  private static List<Result> forcedWrites(Scale scale, Places places, long seed, Progress progress)
      throws IOException, InterruptedException {
    progress.measuring("writes that are forced one by one");
    IorLayout layout =
        new IorLayout(1, (long) scale.writes * WRITE_BYTES, WRITE_BYTES, 1, true, false, seed);
    List<Samples> samples =
        Rounds.figures(
            scale.rounds,
            1,
            List.of(
                () -> writeMillis(layout, places.mount), () -> writeMillis(layout, places.slow)));
    String name = "write and fsync of " + Rate.sizeName(WRITE_BYTES);
    return List.of(
        Result.of(name + ", mean", "ms", Better.LOWER, samples.get(0)).aimingAt(WRITE_MILLIS_AIM),
        Result.of(name, "ms", Better.LOWER, samples.get(0)).against(SLOW, samples.get(1)));
  }

  private static double writeMillis(IorLayout layout, Path directory)
      throws IOException, InterruptedException {
    IorTarget target = new IorTarget(IorTarget.Api.POSIX, directory.toString(), "forced");
    try (IorRun run = IorRun.ofThreads(IorPlan.once(layout, IorOption.FSYNC_PER_WRITE), target)) {
      double millis = run.write().latencySeconds() * MILLIS_PER_SECOND;
      run.deleteFiles();
      return millis;
    }
  }

  /** Without a cache, so that every read is one of the store or of the buffer. */
  private static List<Result> reads(Scale scale, Places places, long seed, Progress progress)
      throws IOException, InterruptedException {
    progress.measuring("random reads");
    RandomReads mount = new RandomReads(places.uncachedMount, scale.reads, seed);
    RandomReads slow = new RandomReads(places.uncachedSlow, scale.reads, seed);
    mount.prepare();
    slow.prepare();
    List<Samples> one =
        Rounds.figures(
            scale.rounds,
            1,
            List.of(() -> mount.ofOneFile(scale.reads), () -> slow.ofOneFile(scale.reads)));
    List<Samples> many =
        Rounds.figures(
            scale.rounds,
            1,
            List.of(() -> mount.ofManyFiles(scale.reads), () -> slow.ofManyFiles(scale.reads)));
    return List.of(
        rate("random reads of one file", one), rate("random reads of small files", many));
  }
}
