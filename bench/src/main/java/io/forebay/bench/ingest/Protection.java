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
import io.forebay.ring.protection.ProtectionPolicy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Writes to an instance with every kind of write protection, next to one without. */
final class Protection {
  private static final List<Integer> SIZES = List.of(4 * IngestScale.KIB, IngestScale.MIB);

  /** Limits that are checked for every write, and never reached. */
  private static final String POLICY = "window=1PiB/24h,file-size=1TiB,files=1000000000,log,error";

  private static final double AIM = 0.98;

  /** More rounds than elsewhere: the aim is closer than single rounds are to each other. */
  private static final int ROUNDS_TIMES = 4;

  private final Ground ground;

  Protection(Ground ground) {
    this.ground = ground;
  }

  List<Result> measure() throws IOException, InterruptedException {
    List<Result> results = new ArrayList<>();
    long bytes = ground.scale().transfer(IngestScale.MIB).bytes();
    try (ServedCluster cluster = ground.inMemory(1, 1, bytes);
        Ring limited = ground.ring(cluster, "protected", options(POLICY));
        Ring free = ground.ring(cluster, "unprotected", options(ProtectionPolicy.NONE_WORD))) {
      for (int size : SIZES) results.add(measure(limited, free, ground.scale().transfer(size)));
    }
    return results;
  }

  private static InstanceOptions options(String policy) {
    return InstanceOptions.defaults().withCopies(1).withProtection(policy);
  }

  private Result measure(Ring limited, Ring free, Transfer transfer)
      throws IOException, InterruptedException {
    String name = "put %s k=1, write protection".formatted(Rate.sizeName(transfer.payloadBytes()));
    ground.progress().measuring(name);
    Supplier<ByteBuffer> payloads = ground.payloads(transfer.payloadBytes());
    List<Samples> samples =
        Rounds.figures(
            ROUNDS_TIMES * ground.scale().rounds(),
            ground.scale().warmUps(),
            List.of(
                () -> limited.put(transfer, payloads).mibPerSecond(),
                () -> free.put(transfer, payloads).mibPerSecond()));
    return Result.of(name, Rate.MIB_PER_SECOND, Better.HIGHER, samples.get(0))
        .against("without", samples.get(1))
        .aimingAt(AIM);
  }
}
