// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.balance;

import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.Scratch;
import io.forebay.bench.process.ServedCluster;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.PlacementSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * A burst from one client, all of it for one seat of four, and twice as large as that seat's
 * memory: with seats that redirect it, compared with seats that take it and write it to their SSD.
 */
public final class BalanceBenchmark implements Benchmark {
  private static final int SERVERS = 4;
  private static final int SEGMENT_BYTES = 4 << 20;
  private static final String OFF = "without redirection";
  private static final double SKEW_AIM = 0.75;

  /**
   * How much is measured.
   *
   * @param memoryBytes of each server
   */
  record Scale(int rounds, int warmUps, long memoryBytes) {
    static Scale full() {
      return new Scale(Rounds.COUNT_MIN, 1, 256L << 20);
    }

    static Scale quick() {
      return new Scale(Rounds.COUNT_MIN, 1, 64L << 20);
    }

    int pieces() {
      return (int) (2 * memoryBytes / Burst.PIECE_BYTES);
    }

    long ssdBytes() {
      return 6 * memoryBytes;
    }
  }

  @Override
  public String name() {
    return "balance";
  }

  @Override
  public Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    return run(options.quick() ? Scale.quick() : Scale.full(), options, progress);
  }

  Outcome run(Scale scale, Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    ServedCluster.Shape shape =
        new ServedCluster.Shape(SERVERS, 1, scale.memoryBytes(), scale.ssdBytes(), SEGMENT_BYTES);
    try (Scratch scratch =
        new Scratch(
            options.directory(),
            2 * SERVERS * scale.ssdBytes(),
            2 * SERVERS * scale.memoryBytes())) {
      List<Result> results = new ArrayList<>();
      try (ServedCluster on = ServedCluster.start(shape, scratch.onDevice("on"));
          ServedCluster off =
              ServedCluster.start(shape.withoutRedirects(), scratch.onDevice("off"))) {
        for (int copies = 1; copies <= 2; copies++) {
          progress.measuring("a burst for one seat, k=" + copies);
          results.addAll(measure(on, off, copies, scale, options));
        }
      }
      return new Outcome(results, scratch.notes());
    }
  }

  private static List<Result> measure(
      ServedCluster on, ServedCluster off, int copies, Scale scale, Options options)
      throws IOException, InterruptedException {
    String instance = "isolated-" + copies;
    InstanceOptions isolated =
        InstanceOptions.defaults()
            .withCopies(copies)
            .withPlacement(
                new PlacementSpec(
                    PlacementSpec.Kind.ISOLATED, PlacementSpec.STRIPE_BYTES_DEFAULT, 0));
    ByteBuffer payload = payload(options.seed());
    List<Rounds.Trial<Burst.Figures>> trials = new ArrayList<>();
    for (ServedCluster cluster : List.of(on, off)) {
      cluster.create(instance, isolated);
      trials.add(new Burst(cluster, instance, scale.pieces(), payload)::measure);
    }
    List<List<Burst.Figures>> measured = Rounds.run(scale.rounds(), scale.warmUps(), trials);
    String words = ", k=" + copies;
    return List.of(
        result(
            "burst" + words,
            Rate.MIB_PER_SECOND,
            Better.HIGHER,
            measured,
            Burst.Figures::mibPerSecond),
        result("acknowledged p50" + words, "ms", Better.LOWER, measured, Burst.Figures::p50Millis),
        result("acknowledged p99" + words, "ms", Better.LOWER, measured, Burst.Figures::p99Millis),
        result(
                "bytes on the fullest seat by mean" + words,
                "x",
                Better.LOWER,
                measured,
                Burst.Figures::skew)
            .aimingAt(SKEW_AIM),
        Result.of(
            "pieces redirected" + words,
            "share",
            Better.LOWER,
            Samples.of(measured.get(0), Burst.Figures::redirectedShare)));
  }

  private static ByteBuffer payload(long seed) {
    byte[] bytes = new byte[Burst.PIECE_BYTES];
    new SplittableRandom(seed).nextBytes(bytes);
    ByteBuffer payload = ByteBuffer.allocateDirect(bytes.length);
    return payload.put(bytes).flip();
  }

  private static Result result(
      String name,
      String unit,
      Better better,
      List<List<Burst.Figures>> measured,
      ToDoubleFunction<Burst.Figures> figure) {
    return Result.of(name, unit, better, Samples.of(measured.get(0), figure))
        .against(OFF, Samples.of(measured.get(1), figure));
  }
}
