// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.drain;

import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.process.ServedCluster;
import java.io.IOException;
import java.util.List;

/** A client that writes while a file is drained: the share of its solo rate that each keeps. */
final class IngestMeanwhile {
  private static final double INGEST_AIM = 0.70;
  private static final double DRAIN_AIM = 0.25;
  private static final String FILE = "/drained";
  private static final String WRITTEN = "/written";

  private record Rates(double ingest, double drain) {}

  private final DrainGround ground;
  private final long bytes;

  IngestMeanwhile(DrainGround ground) {
    this.ground = ground;
    this.bytes = ground.scale().ingestBytes();
  }

  List<Result> measure() throws IOException, InterruptedException {
    ground.progress().measuring("ingest during a drain");
    try (ServedCluster cluster = ground.cluster(2 * bytes);
        DrainedRing ring =
            DrainedRing.make(ground, cluster, 2, ground.store(DrainGround.DEVICE, "meanwhile"))) {
      List<List<Rates>> rates =
          Rounds.run(
              ground.scale().rounds(), 1, List.of(() -> eachAlone(ring), () -> together(ring)));
      Samples aloneIngest = Samples.of(rates.get(0), Rates::ingest);
      Samples aloneDrain = Samples.of(rates.get(0), Rates::drain);
      return List.of(
          result("ingest during a drain", Samples.of(rates.get(1), Rates::ingest))
              .against("ingest alone", aloneIngest)
              .aimingAt(INGEST_AIM),
          result("drain during ingest", Samples.of(rates.get(1), Rates::drain))
              .against("drain alone", aloneDrain)
              .aimingAt(DRAIN_AIM));
    }
  }

  private static Result result(String name, Samples value) {
    return Result.of(name, Rate.MIB_PER_SECOND, Better.HIGHER, value);
  }

  private Rates eachAlone(DrainedRing ring) throws IOException, InterruptedException {
    double ingest = Rate.mibPerSecond(bytes, ring.put(FILE, bytes));
    ring.settle();
    double drain = ring.drain().mibPerSecond();
    ring.remove(FILE);
    return new Rates(ingest, drain);
  }

  /** The drain is measured while the client writes. */
  private Rates together(DrainedRing ring) throws IOException, InterruptedException {
    ring.put(FILE, bytes);
    ring.client().drain(FILE);
    long before = ring.drainedBytes();
    long nanos = ring.put(WRITTEN, bytes);
    long drained = ring.drainedBytes() - before;
    ring.drain();
    ring.remove(FILE, WRITTEN);
    return new Rates(Rate.mibPerSecond(bytes, nanos), Rate.mibPerSecond(drained, nanos));
  }
}
