// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

import io.forebay.bench.Benchmark.Progress;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.Scratch;
import io.forebay.store.log.SegmentHeader;
import io.forebay.store.record.Level;
import io.forebay.store.tier.StoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** How fast a log on the SSD is recovered, compared with reading the same files in order. */
final class RecoveryScans {
  private static final int READ_BYTES = 4 * Scale.MIB;

  /** The device's pace does not depend on a warm compiler, but the scan of small records does. */
  private static final int WARM_UPS = 1;

  /** A kind of log, and the share of a plain read's pace that is aimed at. */
  private record Kind(int payloadBytes, double aim) {}

  private static final List<Kind> KINDS =
      List.of(new Kind(64 * Scale.KIB, 0.70), new Kind(4 * Scale.KIB, 0.30));

  private final Scale scale;
  private final Scratch scratch;
  private final Source source;
  private final Progress progress;
  private final PageCache cache = new PageCache();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);

  RecoveryScans(Scale scale, Scratch scratch, Source source, Progress progress) {
    this.scale = scale;
    this.scratch = scratch;
    this.source = source;
    this.progress = progress;
  }

  List<Result> measure() throws IOException, InterruptedException {
    List<Result> results = new ArrayList<>();
    for (Kind kind : KINDS) results.add(measure(kind));
    return results;
  }

  private Result measure(Kind kind) throws IOException, InterruptedException {
    String name =
        "recovery of %s records%s"
            .formatted(Rate.sizeName(kind.payloadBytes), cache.droppable() ? "" : ", warm");
    progress.measuring(name);
    Path files = scratch.onDevice("recovery");
    try {
      // Whole segments, so that the files hold nothing but records.
      long segments = Math.max(1, scale.recoveryBytes() / scale.segmentBytes());
      long records = segments * scale.recordsPerSegment(kind.payloadBytes);
      StoreConfig config =
          StoreConfig.ssd(scale.segmentBytes(), scale.budgetBytes(scale.recoveryBytes()));
      write(config, files, kind.payloadBytes, records);
      deleteFreeSlots(files);
      List<Samples> samples =
          Rounds.figures(
              scale.rounds(),
              WARM_UPS,
              List.of(() -> recover(config, files, records), () -> read(files)));
      return Result.of(name, Rate.MIB_PER_SECOND, Better.HIGHER, samples.get(0))
          .against("sequential read", samples.get(1))
          .aimingAt(kind.aim);
    } finally {
      Scratch.delete(files);
    }
  }

  private void write(StoreConfig config, Path files, int payload, long records)
      throws IOException, InterruptedException {
    try (BenchStore store = new BenchStore(config, null, files)) {
      store.prepare();
      new AppendLoad(store, source, payload, Level.KEPT, AppendLoad.wideWindow(payload))
          .run(records);
      store.forceAll();
      store.settle();
    }
  }

  /** Recovery need not read them, so the plain read must not either. */
  private void deleteFreeSlots(Path files) throws IOException {
    for (Path file : list(files)) {
      ByteBuffer head = buffer.clear().limit(SegmentHeader.BYTES);
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        PrewrittenFile.readFully(channel, head, 0);
      }
      if (SegmentHeader.parse(head.flip()) instanceof SegmentHeader.Parsed.Free) {
        Files.delete(file);
      }
    }
  }

  private double recover(StoreConfig config, Path files, long records) throws IOException {
    cache.drop();
    try (BenchStore store = new BenchStore(config, null, files)) {
      if (store.recovered().records() != records) {
        throw new IllegalStateException("not all recovered: " + store.recovered());
      }
      return Rate.mibPerSecond(store.recovered().bytes(), store.openNanos());
    }
  }

  private double read(Path files) throws IOException {
    cache.drop();
    long bytes = 0;
    long start = System.nanoTime();
    for (Path file : list(files)) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        long size = channel.size();
        for (long at = 0; at < size; at += READ_BYTES) {
          buffer.clear().limit((int) Math.min(READ_BYTES, size - at));
          PrewrittenFile.readFully(channel, buffer, at);
        }
        bytes += size;
      }
    }
    return Rate.mibPerSecond(bytes, System.nanoTime() - start);
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }
}
