// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ingest;

import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.Scratch;
import io.forebay.bench.process.ServedCluster;
import io.forebay.bench.transfer.Payloads;
import io.forebay.bench.transfer.Ring;
import io.forebay.bench.transfer.Transfer;
import io.forebay.client.InstanceOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Writes to a ring whose metrics are read each second, next to the same without a reader. */
public final class MetricsBenchmark implements Benchmark {
  private static final List<Integer> SIZES = List.of(4 * IngestScale.KIB, IngestScale.MIB);
  private static final double AIM = 0.99;

  /** More rounds than elsewhere: the aim is closer than single rounds are to each other. */
  private static final int ROUNDS_TIMES = 4;

  private static final int SERVERS = 2;
  private static final int COPIES = 2;
  private static final int WARM_UP_BYTES = 4096;

  @Override
  public String name() {
    return "metrics";
  }

  @Override
  public Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    return run(options.quick() ? IngestScale.quick() : IngestScale.full(), options, progress);
  }

  Outcome run(IngestScale scale, Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    long memory = scale.memoryBytes(scale.bytes());
    try (Scratch scratch = new Scratch(options.directory(), 0, SERVERS * memory)) {
      Path device = scratch.onDevice("ring");
      int port = freePort();
      ServedCluster.Shape shape =
          new ServedCluster.Shape(SERVERS, 1, memory, 0, scale.segmentBytes()).withMetrics(port);
      List<Result> results = new ArrayList<>();
      try (ServedCluster cluster = ServedCluster.start(shape, device);
          Ring ring = Ring.make(cluster, "scraped", InstanceOptions.defaults().withCopies(COPIES));
          Scraper scraper = new Scraper(port)) {
        ring.warmUp(scale.warmUpCalls(), payloads(options, WARM_UP_BYTES));
        for (int size : SIZES) {
          Transfer transfer = scale.transfer(size);
          String name = "put %s k=%d, scraped".formatted(Rate.sizeName(size), COPIES);
          progress.measuring(name);
          Supplier<ByteBuffer> payloads = payloads(options, size);
          List<Samples> samples =
              Rounds.figures(
                  ROUNDS_TIMES * scale.rounds(),
                  scale.warmUps(),
                  List.of(
                      () -> scraper.during(() -> ring.put(transfer, payloads)).mibPerSecond(),
                      () -> ring.put(transfer, payloads).mibPerSecond()));
          results.add(
              Result.of(name, Rate.MIB_PER_SECOND, Better.HIGHER, samples.get(0))
                  .against("not scraped", samples.get(1))
                  .aimingAt(AIM));
        }
        List<String> notes = new ArrayList<>(scratch.notes());
        notes.add(
            "The metrics were read %d times: once in each second of the rounds with a reader."
                .formatted(scraper.scrapes()));
        return new Outcome(results, notes);
      }
    }
  }

  private static Supplier<ByteBuffer> payloads(Options options, int payloadBytes) {
    return Payloads.of(Payloads.random(options.seed()), payloadBytes)::next;
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }
}
