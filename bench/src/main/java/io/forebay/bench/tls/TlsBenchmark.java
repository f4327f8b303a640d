// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.tls;

import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Rounds;
import io.forebay.bench.Scratch;
import io.forebay.bench.process.CompileTime;
import io.forebay.bench.process.Transport;
import io.forebay.bench.transfer.Cost;
import io.forebay.bench.transfer.Payloads;
import io.forebay.bench.transfer.Transfer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Writing over TLS, with servers in processes of their own, each figure next to that of a bare
 * socket and of the same without TLS. docs/benchmarks.md explains the results.
 */
public final class TlsBenchmark implements Benchmark {
  private static final int WARM_UP_BYTES = 4096;

  /**
   * The compilers rest once all of them together work for less than this share of a round. While
   * they do not, they take the processor from what is measured, and most from the JVMs that have
   * done least so far: those of the rings.
   */
  private static final double COMPILING_MAX = 0.1;

  private static final List<Way> WAYS = List.of(Way.values());

  @Override
  public String name() {
    return "tls";
  }

  @Override
  public Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    return run(options.quick() ? TlsScale.quick() : TlsScale.full(), options, progress);
  }

  Outcome run(TlsScale scale, Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    ByteBuffer source = Payloads.random(options.seed());
    // Regions of two baselines, and rings of one and two seats with and without TLS.
    long roomBytes = 8L * scale.memoryBytes();
    try (Scratch scratch = new Scratch(options.directory(), scale.memoryBytes(), roomBytes)) {
      progress.measuring("nothing yet: processes start");
      OwnCertificate certificate = OwnCertificate.make(scratch.onDevice("certificate"));
      Transport encrypted = Transport.tls(certificate.settings());
      Path memory = scratch.inMemory("bare");
      Path device = scratch.onDevice("ring");
      Supplier<ByteBuffer> shortOnes = Payloads.of(source, WARM_UP_BYTES)::next;
      try (BarePeer bare = BarePeer.start(certificate, memory, scale.memoryBytes());
          LinkPeer link = LinkPeer.start(certificate, memory, scale.memoryBytes());
          Rings plain = Rings.start(scale, Transport.PLAIN_TCP, device, shortOnes);
          Rings tls = Rings.start(scale, encrypted, device, shortOnes)) {
        Peers peers = new Peers(bare, link, plain, tls);
        List<Result> results = new ArrayList<>();
        List<String> notes = new ArrayList<>(scratch.notes());
        for (int size : TlsScale.SIZES) {
          Supplier<ByteBuffer> payloads = Payloads.of(source, size)::next;
          List<Rounds.Trial<Cost>> trials = peers.trials(scale.transfer(size), payloads);
          progress.measuring("nothing yet: the JVMs compile");
          if (!peers.warmUp(scale.warmUpsMax(), trials)) {
            notes.add("the JVMs still compiled while " + Rate.sizeName(size) + " was measured");
          }
          progress.measuring("put " + Rate.sizeName(size));
          results.addAll(TlsFigures.of(size, measure(scale, trials)));
        }
        return new Outcome(results, notes);
      }
    }
  }

  private static Map<Way, List<Cost>> measure(TlsScale scale, List<Rounds.Trial<Cost>> trials)
      throws IOException, InterruptedException {
    List<List<Cost>> measured = Rounds.run(scale.rounds(), 0, trials);
    Map<Way, List<Cost>> costs = new EnumMap<>(Way.class);
    for (Way way : WAYS) costs.put(way, measured.get(WAYS.indexOf(way)));
    return costs;
  }

  /** All other ends. */
  private record Peers(BarePeer bare, LinkPeer link, Rings plain, Rings tls) {
    /** In the order of {@link #WAYS}. */
    List<Rounds.Trial<Cost>> trials(Transfer transfer, Supplier<ByteBuffer> payloads) {
      List<Rounds.Trial<Cost>> trials = new ArrayList<>();
      for (Way way : WAYS) trials.add(() -> put(way, transfer, payloads));
      return trials;
    }

    /** Runs all trials until the compilers rest; false if they still work after the last round. */
    boolean warmUp(int roundsMax, List<Rounds.Trial<Cost>> trials)
        throws IOException, InterruptedException {
      for (int round = 0; round < roundsMax; round++) {
        long compiled = compileMillis();
        long start = System.nanoTime();
        for (Rounds.Trial<Cost> trial : trials) trial.measure();
        double millis = (System.nanoTime() - start) / (double) TimeUnit.MILLISECONDS.toNanos(1);
        if (compileMillis() - compiled < COMPILING_MAX * millis) return true;
      }
      return false;
    }

    private long compileMillis() throws IOException {
      return CompileTime.millis()
          + bare.compileMillis()
          + link.compileMillis()
          + plain.compileMillis()
          + tls.compileMillis();
    }

    private Cost put(Way way, Transfer transfer, Supplier<ByteBuffer> payloads)
        throws IOException, InterruptedException {
      return switch (way) {
        case BARE_PLAIN -> bare.put(BareStream.Kind.PLAIN, transfer, payloads);
        case BARE_ENGINE_HEAP -> bare.put(BareStream.Kind.ENGINE_HEAP, transfer, payloads);
        case BARE_ENGINE_DIRECT -> bare.put(BareStream.Kind.ENGINE_DIRECT, transfer, payloads);
        case BARE_SSL_SOCKET -> bare.put(BareStream.Kind.SSL_SOCKET, transfer, payloads);
        case LINK_HEAP -> link.put(false, transfer, payloads);
        case LINK_DIRECT -> link.put(true, transfer, payloads);
        case RING_PLAIN -> plain.single().put(transfer, payloads);
        case RING_PLAIN_COPIED -> plain.copied().put(transfer, payloads);
        case RING_TLS -> tls.single().put(transfer, payloads);
        case RING_TLS_COPIED -> tls.copied().put(transfer, payloads);
      };
    }
  }
}
