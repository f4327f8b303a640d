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
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Slice;
import io.forebay.store.tier.StoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How fast records are read in the order they were written: from memory next to copying memory, and
 * from files that the page cache holds next to reading a file.
 */
final class Reads {
  private static final int WARM_UPS = 1;

  /** The maximum number of pending reads from the SSD. */
  private static final int WINDOW = 4;

  private final Scale scale;
  private final Scratch scratch;
  private final Source source;
  private final Progress progress;
  private final ByteBuffer target;
  private int underWay;

  Reads(Scale scale, Scratch scratch, Source source, Progress progress) {
    this.scale = scale;
    this.scratch = scratch;
    this.source = source;
    this.progress = progress;
    this.target =
        ByteBuffer.allocateDirect(
            scale.readPayloads().stream().mapToInt(Integer::intValue).max().orElseThrow());
  }

  List<Result> measure() throws IOException, InterruptedException {
    List<Result> results = new ArrayList<>();
    for (int payload : scale.readPayloads()) results.add(fromMemory(payload));
    for (int payload : scale.readPayloads()) results.add(fromSsd(payload));
    return results;
  }

  private Result fromMemory(int payload) throws IOException, InterruptedException {
    Path slots = scratch.inMemory("read");
    Path pieces = scratch.inMemory("read-baseline");
    StoreConfig config =
        StoreConfig.memory(scale.segmentBytes(), scale.budgetBytes(scale.readBytes()));
    try (BenchStore store = new BenchStore(config, slots, null);
        Region region = new Region(pieces, scale.segmentBytes(), scale.readBytes())) {
      store.prepare();
      fill(store, payload);
      return compare(
          "read " + Rate.sizeName(payload) + " memory",
          () -> read(store, payload, 1, this::copy),
          "memory copy",
          () -> copyAll(region, payload));
    } finally {
      Scratch.delete(slots);
      Scratch.delete(pieces);
    }
  }

  private Result fromSsd(int payload) throws IOException, InterruptedException {
    Path files = scratch.onDevice("read");
    Path plain = scratch.onDevice("read-baseline");
    StoreConfig config =
        StoreConfig.ssd(scale.segmentBytes(), scale.budgetBytes(scale.readBytes()));
    try (BenchStore store = new BenchStore(config, null, files)) {
      store.prepare();
      fill(store, payload);
      store.forceAll();
    }
    // Opened again, it has no segment in memory.
    try (BenchStore store = new BenchStore(config, null, files);
        PrewrittenFile file = new PrewrittenFile(plain.resolve("file"), scale.readBytes())) {
      return compare(
          "read " + Rate.sizeName(payload) + " ssd, cached",
          () -> read(store, payload, WINDOW, Slice::close),
          "FileChannel.read",
          () -> readAll(file, payload));
    } finally {
      Scratch.delete(files);
      Scratch.delete(plain);
    }
  }

  private Result compare(
      String name, Trial<Double> value, String baselineName, Trial<Double> baseline)
      throws IOException, InterruptedException {
    progress.measuring(name);
    List<Samples> samples = Rounds.figures(scale.rounds(), WARM_UPS, List.of(value, baseline));
    return Result.of(name, Rate.MIB_PER_SECOND, Better.HIGHER, samples.get(0))
        .against(baselineName, samples.get(1));
  }

  private void fill(BenchStore store, int payload) throws InterruptedException {
    new AppendLoad(store, source, payload, Level.KEPT, AppendLoad.wideWindow(payload))
        .run(scale.readBytes() / payload);
  }

  private interface SliceUser {
    void use(Slice slice);
  }

  private double read(BenchStore store, int payload, int window, SliceUser user)
      throws InterruptedException {
    long records = scale.readBytes() / payload;
    ReadResult.Receiver receiver =
        result -> {
          underWay--;
          if (!(result instanceof ReadResult.Bytes bytes)) {
            throw new IllegalStateException("read ended as " + result);
          }
          user.use(bytes.slice());
        };
    long start = System.nanoTime();
    for (long i = 0; i < records; i++) {
      if (underWay >= window) store.await("reads", () -> underWay < window);
      underWay++;
      store.store().read(store.id(i), 0, payload, receiver);
    }
    store.await("reads", () -> underWay == 0);
    return Rate.mibPerSecond(records * payload, System.nanoTime() - start);
  }

  private void copy(Slice slice) {
    ByteBuffer bytes = slice.bytes();
    target.put(0, bytes, bytes.position(), bytes.remaining());
    slice.close();
  }

  private double copyAll(Region region, int payload) {
    long records = scale.readBytes() / payload;
    long start = System.nanoTime();
    region.walk(payload, records, (piece, position) -> target.put(0, piece, position, payload));
    return Rate.mibPerSecond(records * payload, System.nanoTime() - start);
  }

  private double readAll(PrewrittenFile file, int payload) throws IOException {
    long records = scale.readBytes() / payload;
    long start = System.nanoTime();
    file.readSequentially(target, payload, records);
    return Rate.mibPerSecond(records * payload, System.nanoTime() - start);
  }
}
