// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ingest;

import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Result;
import io.forebay.bench.Scratch;
import io.forebay.bench.bare.BarePeer;
import io.forebay.bench.transfer.Payloads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writing to a ring and reading back, with servers in processes of their own, each figure next to
 * that of a bare socket. docs/benchmarks.md explains the results.
 */
public final class IngestBenchmark implements Benchmark {
  @Override
  public String name() {
    return "ingest";
  }

  @Override
  public Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    return run(options.quick() ? IngestScale.quick() : IngestScale.full(), options, progress);
  }

  Outcome run(IngestScale scale, Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    long region = scale.memoryBytes(scale.bytes());
    // The most that exists at one time: rings of one, two, three and four seats.
    long roomBytes = 11 * region;
    try (Scratch scratch = new Scratch(options.directory(), 4 * region, roomBytes)) {
      Path device = scratch.onDevice("ring");
      Path memory = scratch.inMemory("bare");
      try (BarePeer bare = BarePeer.start(device, memory, Math.toIntExact(region))) {
        Ground ground =
            new Ground(
                scale, device, bare, Payloads.random(options.seed()), Payloads.random(0), progress);
        List<Result> results = new ArrayList<>();
        List<String> notes = new ArrayList<>(scratch.notes());
        results.addAll(new Copies(ground).measure());
        results.addAll(new OneSeat(ground).measure());
        if (scale.all()) {
          results.addAll(new Placements(ground).measure());
          results.addAll(new Forced(ground).measure());
        }
        results.addAll(new Protection(ground).measure());
        results.addAll(new KeyValues(ground, notes).measure());
        return new Outcome(results, notes);
      }
    }
  }
}
