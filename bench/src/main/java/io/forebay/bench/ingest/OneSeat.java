// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ingest;

import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.process.ServedCluster;
import io.forebay.bench.transfer.Ring;
import io.forebay.bench.transfer.Transfer;
import io.forebay.client.InstanceOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** One client and one seat: pieces of each size written, read back, and one at a time. */
final class OneSeat {
  private static final double SHORT_AIM = 0.70;
  private static final double READ_AIM = 0.85;

  private final Ground ground;
  private final IngestScale scale;

  OneSeat(Ground ground) {
    this.ground = ground;
    this.scale = ground.scale();
  }

  List<Result> measure() throws IOException, InterruptedException {
    List<Result> results = new ArrayList<>();
    try (ServedCluster cluster = ground.inMemory(1, 1, scale.bytes());
        Ring ring = ground.ring(cluster, "one", InstanceOptions.defaults().withCopies(1))) {
      for (int size : scale.all() ? IngestScale.SIZES : List.of(4 * IngestScale.KIB)) {
        results.addAll(writes(ring, scale.transfer(size)));
      }
      for (int size : scale.all() ? IngestScale.SIZES : List.of(IngestScale.MIB)) {
        results.add(read(ring, scale.transfer(size)));
      }
      for (int size : List.of(4 * IngestScale.KIB, IngestScale.MIB)) {
        results.addAll(new Latencies(ground, ring, size).measure());
      }
    }
    return results;
  }

  /** Both ways to write: without copying, piece by piece, and as a stream of calls. */
  private List<Result> writes(Ring ring, Transfer transfer)
      throws IOException, InterruptedException {
    String size = Rate.sizeName(transfer.payloadBytes());
    ground.progress().measuring("put and write " + size);
    Supplier<ByteBuffer> payloads = ground.payloads(transfer.payloadBytes());
    List<Rounds.Trial<Double>> trials =
        List.of(
            () -> ring.put(transfer, payloads).mibPerSecond(),
            () -> ring.write(transfer, payloads).mibPerSecond(),
            () -> ground.barePut(transfer).mibPerSecond());
    List<Samples> samples = Rounds.figures(scale.rounds(), scale.warmUps(), trials);
    List<Result> results = new ArrayList<>();
    // The main figures have been measured with copies.
    if (transfer.payloadBytes() != IngestScale.MIB) {
      results.add(rate("put " + size + " k=1 replicated", samples.get(0), samples.get(2)));
    }
    Result written = rate("write " + size + " k=1 published", samples.get(1), samples.get(2));
    boolean isShort = transfer.payloadBytes() == 4 * IngestScale.KIB;
    results.add(isShort ? written.aimingAt(SHORT_AIM) : written);
    return results;
  }

  private static Result rate(String name, Samples value, Samples bare) {
    return Result.of(name, Rate.MIB_PER_SECOND, Better.HIGHER, value)
        .against(Ground.BARE_PUT, bare);
  }

  private Result read(Ring ring, Transfer transfer) throws IOException, InterruptedException {
    String name = "read " + Rate.sizeName(transfer.payloadBytes()) + " k=1";
    ground.progress().measuring(name);
    Supplier<ByteBuffer> places = ground.places(transfer.payloadBytes());
    ring.fill(transfer, ground.payloads(transfer.payloadBytes()));
    List<Samples> samples =
        Rounds.figures(
            scale.rounds(),
            scale.warmUps(),
            List.of(
                () -> ring.get(transfer, places).mibPerSecond(),
                () -> ground.bareGet(transfer, places).mibPerSecond()));
    ring.delete();
    Result result =
        Result.of(name, Rate.MIB_PER_SECOND, Better.HIGHER, samples.get(0))
            .against(Ground.BARE_GET, samples.get(1));
    return transfer.payloadBytes() == IngestScale.MIB ? result.aimingAt(READ_AIM) : result;
  }
}
