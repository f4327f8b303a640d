// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

import io.forebay.bench.Benchmark.Progress;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Rounds.Trial;
import io.forebay.bench.Samples;
import io.forebay.bench.Scratch;
import io.forebay.store.record.Level;
import io.forebay.store.tier.StoreConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The rate of small records that survive a power cut, one at a time and with many waiting for the
 * same force, compared with writing and forcing them one by one.
 */
final class ForcedAppends {
  private static final int PAYLOAD_BYTES = 4 * Scale.KIB;
  private static final int ALONE = 1;
  private static final List<Integer> WINDOWS = List.of(ALONE, 16, 64, 256);
  private static final int WARM_UPS = 1;

  private final Scale scale;
  private final Scratch scratch;
  private final Source source;
  private final Progress progress;

  ForcedAppends(Scale scale, Scratch scratch, Source source, Progress progress) {
    this.scale = scale;
    this.scratch = scratch;
    this.source = source;
    this.progress = progress;
  }

  List<Result> measure() throws IOException, InterruptedException {
    progress.measuring("forced append " + Rate.sizeName(PAYLOAD_BYTES));
    Path files = scratch.onDevice("forced");
    Path plain = scratch.onDevice("forced-baseline");
    StoreConfig config =
        StoreConfig.ssd(scale.segmentBytes(), scale.budgetBytes(scale.appendBytes()));
    try (BenchStore store = new BenchStore(config, null, files);
        PrewrittenFile file = new PrewrittenFile(plain.resolve("file"), scale.segmentBytes())) {
      store.prepare();
      makeSlots(store);
      List<Trial<Double>> trials = new ArrayList<>();
      trials.add(() -> writeAndForce(file));
      for (int window : WINDOWS) trials.add(() -> append(store, window));
      return results(Rounds.figures(scale.rounds(), WARM_UPS, trials));
    } finally {
      Scratch.delete(files);
      Scratch.delete(plain);
    }
  }

  private static List<Result> results(List<Samples> samples) {
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < WINDOWS.size(); i++) {
      int window = WINDOWS.get(i);
      String name = "forced append " + Rate.sizeName(PAYLOAD_BYTES);
      if (window != ALONE) name += " group of " + window;
      results.add(
          Result.of(name, Rate.PER_SECOND, Better.HIGHER, samples.get(i + 1))
              .against("write and force", samples.get(0)));
    }
    return results;
  }

  /** Once as much as the longest measurement can append, so that none waits for a new slot. */
  private void makeSlots(BenchStore store) throws InterruptedException {
    new AppendLoad(store, source, PAYLOAD_BYTES, Level.KEPT, AppendLoad.wideWindow(PAYLOAD_BYTES))
        .run(recordsMax());
    store.endPass();
  }

  private double append(BenchStore store, int window) throws InterruptedException {
    AppendLoad load = new AppendLoad(store, source, PAYLOAD_BYTES, Level.FORCED, window);
    long start = System.nanoTime();
    long records = load.runUntil(start + scale.forcedNanos(), recordsMax());
    long nanos = System.nanoTime() - start;
    store.endPass();
    return Rate.perSecond(records, nanos);
  }

  private double writeAndForce(PrewrittenFile file) throws IOException {
    long start = System.nanoTime();
    long records = file.writeAndForceUntil(source, PAYLOAD_BYTES, start + scale.forcedNanos());
    return Rate.perSecond(records, System.nanoTime() - start);
  }

  private long recordsMax() {
    return scale.appendBytes() / PAYLOAD_BYTES;
  }
}
