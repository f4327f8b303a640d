// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

import io.forebay.base.BlockChecksums;
import io.forebay.bench.Benchmark.Progress;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.Scratch;
import io.forebay.store.record.Level;
import io.forebay.store.tier.StoreConfig;
import io.forebay.store.tier.StoreConfig.Mode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How fast records of each size go into a store of each mode. In memory they are compared with
 * copying and checksumming the same payloads into memory, on the SSD with writing them to a file,
 * the final force included on both sides.
 */
final class Appends {
  private static final int WARM_UPS = 1;
  private static final double MEMORY_AIM = 0.80;
  private static final double SSD_AIM = 0.90;

  private final Scale scale;
  private final Scratch scratch;
  private final Source source;
  private final Progress progress;

  Appends(Scale scale, Scratch scratch, Source source, Progress progress) {
    this.scale = scale;
    this.scratch = scratch;
    this.source = source;
    this.progress = progress;
  }

  List<Result> measure() throws IOException, InterruptedException {
    List<Result> results = new ArrayList<>(inMemory());
    results.addAll(onSsd(Mode.SSD));
    results.addAll(onSsd(Mode.HYBRID));
    return results;
  }

  private List<Result> inMemory() throws IOException, InterruptedException {
    Path slots = scratch.inMemory("append");
    Path pieces = scratch.inMemory("append-baseline");
    StoreConfig config =
        StoreConfig.memory(scale.segmentBytes(), scale.budgetBytes(scale.appendBytes()));
    try (BenchStore store = new BenchStore(config, slots, null);
        Region region = new Region(pieces, scale.segmentBytes(), scale.appendBytes())) {
      store.prepare();
      return each(
          Mode.MEMORY, store, "copy and CRC32C", payload -> copyAndChecksum(region, payload));
    } finally {
      Scratch.delete(slots);
      Scratch.delete(pieces);
    }
  }

  private List<Result> onSsd(Mode mode) throws IOException, InterruptedException {
    Path files = scratch.onDevice("append");
    Path slots = mode == Mode.HYBRID ? scratch.inMemory("append") : null;
    Path plain = scratch.onDevice("append-baseline");
    long budgetBytes = scale.budgetBytes(scale.appendBytes());
    StoreConfig config =
        mode == Mode.SSD
            ? StoreConfig.ssd(scale.segmentBytes(), budgetBytes)
            : StoreConfig.hybrid(scale.segmentBytes(), scale.memoryBytes(), budgetBytes);
    try (BenchStore store = new BenchStore(config, slots, files);
        PrewrittenFile file = new PrewrittenFile(plain.resolve("file"), scale.appendBytes())) {
      store.prepare();
      return each(mode, store, "sequential writer", payload -> writeSequentially(file, payload));
    } finally {
      Scratch.delete(files);
      if (slots != null) Scratch.delete(slots);
      Scratch.delete(plain);
    }
  }

  private interface BaselineTrial {
    double measure(int payloadBytes) throws IOException;
  }

  private List<Result> each(
      Mode mode, BenchStore store, String baselineName, BaselineTrial baseline)
      throws IOException, InterruptedException {
    List<Result> results = new ArrayList<>();
    for (int payload : scale.payloads()) {
      String name = "append " + Rate.sizeName(payload) + " " + mode.name().toLowerCase(Locale.ROOT);
      progress.measuring(name);
      List<Samples> samples =
          Rounds.figures(
              scale.rounds(),
              WARM_UPS,
              List.of(() -> append(store, payload), () -> baseline.measure(payload)));
      Result result =
          Result.of(name, Rate.MIB_PER_SECOND, Better.HIGHER, samples.get(0))
              .against(baselineName, samples.get(1));
      Double aim = aim(mode, payload);
      results.add(aim == null ? result : result.aimingAt(aim));
    }
    return results;
  }

  private static @Nullable Double aim(Mode mode, int payloadBytes) {
    return switch (mode) {
      case MEMORY -> payloadBytes == Scale.MIB ? MEMORY_AIM : null;
      case SSD -> payloadBytes >= Scale.MIB ? SSD_AIM : null;
      case HYBRID -> null;
    };
  }

  private double append(BenchStore store, int payload) throws InterruptedException {
    long records = scale.appendBytes() / payload;
    AppendLoad load =
        new AppendLoad(store, source, payload, Level.KEPT, AppendLoad.wideWindow(payload));
    long start = System.nanoTime();
    load.run(records);
    if (store.store().config().hasSsd()) store.forceAll();
    long nanos = System.nanoTime() - start;
    store.endPass();
    return Rate.mibPerSecond(records * payload, nanos);
  }

  private double copyAndChecksum(Region region, int payload) {
    long records = scale.appendBytes() / payload;
    long start = System.nanoTime();
    region.walk(payload, records, (piece, position) -> land(piece, position, payload));
    return Rate.mibPerSecond(records * payload, System.nanoTime() - start);
  }

  /** What any store must do with a payload: put it in its place and know its checksums. */
  private void land(ByteBuffer piece, int position, int payload) {
    source.copy(piece, position, payload);
    int[] checksums = BlockChecksums.of(piece.slice(position, payload));
    if (checksums.length == 0) throw new IllegalStateException("no checksum");
  }

  private double writeSequentially(PrewrittenFile file, int payload) throws IOException {
    long records = scale.appendBytes() / payload;
    long start = System.nanoTime();
    file.writeSequentially(source, payload, records);
    return Rate.mibPerSecond(records * payload, System.nanoTime() - start);
  }
}
