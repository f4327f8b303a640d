// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Result;
import io.forebay.bench.Scratch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A seat's local store: appending, forcing, reading, its indexes and its recovery, each compared
 * with the minimum work of any store. docs/benchmarks.md explains the results.
 */
public final class StoreBenchmark implements Benchmark {
  @Override
  public String name() {
    return "store";
  }

  @Override
  public Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    return run(options.quick() ? Scale.quick() : Scale.full(), options, progress);
  }

  Outcome run(Scale scale, Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    long largestBytes =
        Math.max(scale.appendBytes(), Math.max(scale.readBytes(), scale.recoveryBytes()));
    // A store and its baseline exist at the same time.
    long roomBytes = scale.budgetBytes(largestBytes) + largestBytes + scale.segmentBytes();
    try (Scratch scratch = new Scratch(options.directory(), roomBytes, roomBytes)) {
      Source source = new Source(options.seed());
      List<Result> results = new ArrayList<>();
      results.addAll(new Appends(scale, scratch, source, progress).measure());
      results.addAll(new ForcedAppends(scale, scratch, source, progress).measure());
      results.addAll(new Reads(scale, scratch, source, progress).measure());
      results.addAll(new RecoveryScans(scale, scratch, source, progress).measure());
      results.addAll(new IndexCosts(scale, options.seed(), progress).measure());
      return new Outcome(results, scratch.notes());
    }
  }
}
