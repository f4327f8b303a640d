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
import io.forebay.ring.PlacementSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** 1 MiB pieces with two copies among three servers, with each placement. */
final class Placements {
  private static final int SERVERS = 3;

  private final Ground ground;

  Placements(Ground ground) {
    this.ground = ground;
  }

  List<Result> measure() throws IOException, InterruptedException {
    ground.progress().measuring("put 1MiB by each placement");
    Transfer transfer = ground.scale().transfer(IngestScale.MIB);
    List<String> names = new ArrayList<>();
    List<Ring> rings = new ArrayList<>();
    List<Rounds.Trial<Double>> trials = new ArrayList<>();
    try (ServedCluster cluster = ground.inMemory(SERVERS, 1, transfer.bytes())) {
      try {
        for (PlacementSpec.Kind kind : PlacementSpec.Kind.values()) {
          String word = kind.name().toLowerCase(Locale.ROOT);
          Ring ring = ground.ring(cluster, word, options(kind));
          rings.add(ring);
          names.add("put 1MiB k=2 of 3, " + word);
          Supplier<ByteBuffer> payloads = ground.payloads(transfer.payloadBytes());
          trials.add(() -> ring.put(transfer, payloads).mibPerSecond());
        }
        trials.add(() -> ground.barePut(transfer).mibPerSecond());
        return results(
            names, Rounds.figures(ground.scale().rounds(), ground.scale().warmUps(), trials));
      } finally {
        for (Ring ring : rings) ring.close();
      }
    }
  }

  private static InstanceOptions options(PlacementSpec.Kind kind) {
    return InstanceOptions.defaults()
        .withPlacement(new PlacementSpec(kind, PlacementSpec.STRIPE_BYTES_DEFAULT, 0));
  }

  private static List<Result> results(List<String> names, List<Samples> samples) {
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      results.add(
          Result.of(names.get(i), Rate.MIB_PER_SECOND, Better.HIGHER, samples.get(i))
              .against(Ground.BARE_PUT, samples.get(names.size())));
    }
    return results;
  }
}
