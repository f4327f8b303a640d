// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.stage;

import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.Scratch;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.InstanceOptions;
import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Staging: large files from a file system that limits each server, by two servers and by one; many
 * small files by three servers, and file by file through one client. Few small files would measure
 * how a stage begins, which the baseline does not do: a quick run has enough of them for seconds.
 */
public final class StageBenchmark implements Benchmark {
  private static final int MIB = 1 << 20;
  private static final int THREADS = 8;
  private static final int LARGE_THREADS = 2;
  private static final int FILES_PER_DIRECTORY = 200;
  private static final int SMALL_BYTES = 1024;
  private static final int BLOCK_BYTES = 4096;
  private static final int SERVERS_FOR_SMALL = 3;
  private static final double LARGE_AIM = 1.8;
  private static final double SMALL_AIM = 3;

  /** The first stage of a cluster is slower than later ones. */
  private static final int WARM_UPS = 1;

  /** Large stages for which there is room: ended instances may not be gone yet. */
  private static final int LARGE_KEPT = 4;

  /** The room of each server for a byte of the small files in each round. */
  private static final int ROOM_PER_SMALL_BYTE = 8;

  /** The room of each server besides. */
  private static final long SPARE_BYTES = 512L * MIB;

  private static final Duration PATIENCE = Duration.ofMinutes(30);

  /**
   * How much is measured.
   *
   * @param rateBytes how many bytes per second each server may read
   */
  record Scale(int rounds, int largeFiles, int largeBytes, long rateBytes, int smallFiles) {
    static Scale full() {
      return new Scale(Rounds.COUNT_MIN, 16, 128 * MIB, 100L * MIB, 100_000);
    }

    static Scale quick() {
      return new Scale(Rounds.COUNT_MIN, 4, 48 * MIB, 48L * MIB, 20_000);
    }

    long largeTotal() {
      return (long) largeFiles * largeBytes;
    }

    /** What the files that are staged take on the device. */
    long sourceBytes() {
      return largeTotal() + (long) smallFiles * BLOCK_BYTES;
    }

    StagingRing.Shape ringForLarge(int servers) {
      long ssdBytes = LARGE_KEPT * largeTotal() / servers + SPARE_BYTES;
      return new StagingRing.Shape("large-" + servers, servers, rateBytes, ssdBytes);
    }

    StagingRing.Shape ringForSmall() {
      long bytes = (long) smallFiles * SMALL_BYTES * (rounds + WARM_UPS);
      return new StagingRing.Shape(
          "small-" + SERVERS_FOR_SMALL,
          SERVERS_FOR_SMALL,
          0,
          bytes * ROOM_PER_SMALL_BYTE + SPARE_BYTES);
    }

    /**
     * The most that is on the device at a time: the first two rings end before the third begins.
     */
    long deviceBytes() {
      long largeRings = ringForLarge(2).allBytes() + ringForLarge(1).allBytes();
      return sourceBytes() + Math.max(largeRings, ringForSmall().allBytes());
    }
  }

  @Override
  public String name() {
    return "stage";
  }

  @Override
  public Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    return run(options.quick() ? Scale.quick() : Scale.full(), options, progress);
  }

  Outcome run(Scale scale, Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    long memoryBytes = SERVERS_FOR_SMALL * 2 * StagingRing.MEMORY_BYTES;
    try (Scratch scratch = new Scratch(options.directory(), scale.deviceBytes(), memoryBytes)) {
      Path large = scratch.onDevice("large");
      Path small = scratch.onDevice("small");
      SplittableRandom random = new SplittableRandom(options.seed());
      for (int i = 0; i < scale.largeFiles(); i++) {
        fill(large.resolve("large-" + i), scale.largeBytes(), random);
      }
      for (int i = 0; i < scale.smallFiles(); i++) {
        Path directory = small.resolve("d" + i / FILES_PER_DIRECTORY);
        if (i % FILES_PER_DIRECTORY == 0) Files.createDirectory(directory);
        fill(directory.resolve("f" + i), SMALL_BYTES, random);
      }
      List<Result> results = new ArrayList<>();
      progress.measuring("large files by two servers and by one");
      results.add(large(scale, large, scratch));
      progress.measuring("small files by servers and file by file");
      results.add(small(scale, small, scratch));
      List<String> notes = new ArrayList<>(scratch.notes());
      notes.add(
          "each server reads at most %d MiB/s of the large files"
              .formatted(scale.rateBytes() / MIB));
      notes.add("servers, client and stages run in one process");
      return new Outcome(results, notes);
    } catch (StartFailed e) {
      throw new IOException(e);
    }
  }

  private static void fill(Path file, int bytes, SplittableRandom random) throws IOException {
    byte[] content = new byte[bytes];
    random.nextBytes(content);
    Files.write(file, content);
  }

  private static Result large(Scale scale, Path source, Scratch scratch)
      throws IOException, StartFailed, InterruptedException {
    try (StagingRing two = new StagingRing(scale.ringForLarge(2), source, scratch);
        StagingRing one = new StagingRing(scale.ringForLarge(1), source, scratch)) {
      List<Rounds.Trial<Double>> trials = new ArrayList<>();
      for (StagingRing ring : List.of(two, one)) {
        trials.add(
            () ->
                Rate.mibPerSecond(
                    scale.largeTotal(), stage(ring.cluster(), source, 1, LARGE_THREADS)));
      }
      List<List<Double>> measured = Rounds.run(scale.rounds(), WARM_UPS, trials);
      return Result.of(
              "stage in, large files, 2 servers",
              Rate.MIB_PER_SECOND,
              Better.HIGHER,
              Samples.of(measured.get(0), each -> each))
          .against("1 server", Samples.of(measured.get(1), each -> each))
          .aimingAt(LARGE_AIM);
    }
  }

  private static Result small(Scale scale, Path source, Scratch scratch)
      throws IOException, StartFailed, InterruptedException {
    try (StagingRing ring = new StagingRing(scale.ringForSmall(), source, scratch)) {
      EmbeddedCluster cluster = ring.cluster();
      List<Rounds.Trial<Double>> trials =
          List.of(
              () -> Rate.perSecond(scale.smallFiles(), stage(cluster, source, 2, THREADS)),
              () -> Rate.perSecond(scale.smallFiles(), copyEach(cluster, source)));
      List<List<Double>> measured = Rounds.run(scale.rounds(), WARM_UPS, trials);
      return Result.of(
              "stage in, files of 1 KiB, 3 servers",
              Rate.PER_SECOND,
              Better.HIGHER,
              Samples.of(measured.get(0), each -> each))
          .against("draft, write, rename by " + THREADS, Samples.of(measured.get(1), each -> each))
          .aimingAt(SMALL_AIM);
    }
  }

  /** Nanoseconds for a stage into an instance of its own. */
  private static long stage(EmbeddedCluster cluster, Path source, int copies, int threads)
      throws IOException {
    String name = "staged";
    begin(cluster, name, copies);
    try (Forebay client = Forebay.connect(cluster.uri(name));
        Staging staging = Staging.of(client)) {
      StageRequest request =
          StageRequest.in(source.toRealPath().toString(), "/in").withConcurrency(threads);
      long startNanos = System.nanoTime();
      StageStatus end = staging.await(staging.start(request), PATIENCE, status -> {});
      long nanos = System.nanoTime() - startNanos;
      if (end.state() != StageStatus.State.DONE) throw new IOException("not staged: " + end);
      return nanos;
    } finally {
      end(cluster, name);
    }
  }

  /** The same as one server did it before files were put whole. */
  private static long copyEach(EmbeddedCluster cluster, Path source)
      throws IOException, InterruptedException {
    String name = "each";
    begin(cluster, name, 2);
    try (Forebay client = Forebay.connect(cluster.uri(name))) {
      return new DraftCopies(client, THREADS).copy(source);
    } finally {
      end(cluster, name);
    }
  }

  private static void begin(EmbeddedCluster cluster, String name, int copies) throws IOException {
    try (Cluster admin = Cluster.connect(cluster.uri(""))) {
      admin.createInstance(name, InstanceOptions.defaults().withCopies(copies));
    }
  }

  private static void end(EmbeddedCluster cluster, String name) throws IOException {
    try (Cluster admin = Cluster.connect(cluster.uri(""))) {
      admin.discardInstance(name);
    }
  }
}
