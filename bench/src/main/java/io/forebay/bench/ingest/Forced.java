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

/** The cost of safety from a power cut: the same seat, the same pieces, forced or not. */
final class Forced {
  private final Ground ground;
  private final IngestScale scale;

  Forced(Ground ground) {
    this.ground = ground;
    this.scale = ground.scale();
  }

  List<Result> measure() throws IOException, InterruptedException {
    InstanceOptions options = InstanceOptions.defaults().withCopies(1);
    long memory = scale.memoryBytes(scale.bytes());
    ServedCluster.Shape shape =
        new ServedCluster.Shape(1, 1, memory, 2 * memory, scale.segmentBytes());
    List<Result> results = new ArrayList<>();
    try (ServedCluster cluster = ServedCluster.start(shape, ground.device());
        Ring forced = ground.ring(cluster, "forced", options.withForced(true));
        Ring replicated = ground.ring(cluster, "replicated", options)) {
      for (int size : IngestScale.SIZES) {
        String name = "put " + Rate.sizeName(size) + " k=1 forced";
        ground.progress().measuring(name);
        Transfer transfer = scale.transfer(size);
        Supplier<ByteBuffer> payloads = ground.payloads(size);
        List<Samples> samples =
            Rounds.figures(
                scale.rounds(),
                scale.warmUps(),
                List.of(
                    () -> forced.put(transfer, payloads).mibPerSecond(),
                    () -> replicated.put(transfer, payloads).mibPerSecond()));
        results.add(
            Result.of(name, Rate.MIB_PER_SECOND, Better.HIGHER, samples.get(0))
                .against("not forced", samples.get(1)));
      }
    }
    return results;
  }
}
