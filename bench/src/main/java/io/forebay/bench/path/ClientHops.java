// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import io.forebay.base.BlockChecksums;
import io.forebay.bench.Rounds;
import io.forebay.bench.process.CpuTime;
import io.forebay.bench.transfer.Cost;
import io.forebay.bench.transfer.Payloads;
import io.forebay.bench.transfer.Transfer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** What a client does with each byte before it goes anywhere: a copy, and a checksum. */
final class ClientHops {
  /** The measured hops, with one thread and with as many as there are clients. */
  record Measured(Hop copyAlone, Hop copy, Hop checksumAlone, Hop checksum) {
    List<Hop> all() {
      return List.of(copyAlone, copy, checksumAlone, checksum);
    }
  }

  private final PathScale scale;
  private final int pieceBytes;
  private final ByteBuffer source;

  ClientHops(PathScale scale, int pieceBytes, ByteBuffer source) {
    this.scale = scale;
    this.pieceBytes = pieceBytes;
    this.source = source;
  }

  Measured measure(int threads) throws IOException, InterruptedException {
    List<Rounds.Trial<Cost>> trials =
        List.of(
            () -> cost(1, this::copies),
            () -> cost(threads, this::copies),
            () -> cost(1, this::checksums),
            () -> cost(threads, this::checksums));
    List<List<Cost>> costs = Rounds.run(scale.rounds(), scale.warmUps(), trials);
    List<String> names = new ArrayList<>();
    for (String what : List.of("client: copy in memory", "client: checksums")) {
      names.add(what + " x1");
      names.add(what + " x" + threads);
    }
    return new Measured(
        new Hop(names.get(0), costs.get(0)),
        new Hop(names.get(1), costs.get(1)),
        new Hop(names.get(2), costs.get(2)),
        new Hop(names.get(3), costs.get(3)));
  }

  private Cost cost(int threads, IntFunction<Together.Part> part)
      throws IOException, InterruptedException {
    Transfer transfer = scale.transfer(pieceBytes, threads);
    Together.Part work = part.apply((int) transfer.count());
    long before = CpuTime.nanos();
    long nanos = Together.nanos(threads, work);
    return new Cost(transfer.bytes() * threads, nanos, CpuTime.nanos() - before);
  }

  private Together.Part copies(int count) {
    return index -> {
      Payloads pieces = Payloads.of(source, pieceBytes);
      ByteBuffer into = ByteBuffer.allocateDirect(pieceBytes);
      for (int i = 0; i < count; i++) into.clear().put(pieces.next());
    };
  }

  private Together.Part checksums(int count) {
    return index -> {
      Payloads pieces = Payloads.of(source, pieceBytes);
      int all = 0;
      for (int i = 0; i < count; i++) all ^= BlockChecksums.of(pieces.next())[0];
      // The compiler must not leave it out.
      if (all == Integer.MIN_VALUE + 1) Thread.onSpinWait();
    };
  }
}
