// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf;

import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Rounds.Trial;
import io.forebay.bench.Samples;
import io.forebay.bench.Scratch;
import io.forebay.netcdf.CreateMode;
import io.forebay.netcdf.Hints;
import io.forebay.netcdf.NetcdfFile;
import io.forebay.netcdf.Selection;
import io.forebay.netcdf.VariableId;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.parallel.Ranks;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Writes of one rank into its log, next to appending the same bytes to a plain file with the same
 * checksum, both on the page cache.
 */
public final class LogBenchmark implements Benchmark {
  private static final double AIM = 0.8;
  private static final int AIM_BYTES = 64 << 10;
  private static final int WARM_UPS = 2;
  private static final long QUICK_BYTES = 128L << 20;
  private static final long FULL_BYTES = 512L << 20;

  /** The written elements vary, and are not always in the cache. */
  private static final int SOURCE_BYTES = 16 << 20;

  /** Small writes are measured with fewer bytes. */
  private static final int PUTS_MAX = 16_384;

  @Override
  public String name() {
    return "netcdf log";
  }

  @Override
  public Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    long bytes = options.quick() ? QUICK_BYTES : FULL_BYTES;
    int rounds = options.quick() ? Rounds.COUNT_MIN : 2 * Rounds.COUNT_MIN;
    List<Result> results = new ArrayList<>();
    try (Scratch scratch = new Scratch(options.directory(), 0, 3 * bytes);
        Arena arena = Arena.ofShared()) {
      Path folder = scratch.inMemory("log");
      MemorySegment source = arena.allocate(SOURCE_BYTES, Long.BYTES);
      for (long i = 0; i < SOURCE_BYTES / Double.BYTES; i++) {
        source.setAtIndex(ValueLayout.JAVA_DOUBLE, i, (double) i);
      }
      for (int size : List.of(4 << 10, AIM_BYTES, 1 << 20)) {
        progress.measuring("puts of " + Rate.sizeName(size));
        int puts = (int) Math.min(PUTS_MAX, bytes / size);
        List<Trial<Double>> trials =
            List.of(
                () -> logged(folder, source, size, puts), () -> plain(folder, source, size, puts));
        List<Samples> rates = Rounds.figures(rounds, WARM_UPS, trials);
        Result result =
            Result.of(
                    "logging put " + Rate.sizeName(size),
                    Rate.MIB_PER_SECOND,
                    Better.HIGHER,
                    rates.get(0))
                .against("append and CRC", rates.get(1));
        results.add(size == AIM_BYTES ? result.aimingAt(AIM) : result);
      }
      return new Outcome(results, scratch.notes());
    }
  }

  private static double logged(Path folder, MemorySegment source, int size, int puts)
      throws IOException {
    Path path = folder.resolve("put.nc");
    Hints hints = Hints.parse("burst_buffer=enable;burst_buffer_dir=" + folder);
    long elements = size / Double.BYTES;
    NetcdfFile file =
        NetcdfFile.create(Ranks.alone(), path.toString(), Format.CDF5, CreateMode.REPLACE, hints);
    VariableId variable =
        file.defineVariable("v", ElementType.DOUBLE, file.defineDimension("x", elements * puts));
    file.endDefine();
    long start = System.nanoTime();
    for (int i = 0; i < puts; i++) {
      Values values = Values.of(piece(source, size, i), ElementType.DOUBLE);
      file.put(variable, Selection.of(new long[] {elements * i}, new long[] {elements}), values);
    }
    long nanos = System.nanoTime() - start;
    file.close();
    Files.delete(path);
    return Rate.mibPerSecond((long) size * puts, nanos);
  }

  private static double plain(Path folder, MemorySegment source, int size, int puts)
      throws IOException {
    Path path = folder.resolve("plain");
    long nanos;
    CRC32C sums = new CRC32C();
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      long start = System.nanoTime();
      long at = 0;
      for (int i = 0; i < puts; i++) {
        ByteBuffer bytes = piece(source, size, i).asByteBuffer();
        sums.reset();
        sums.update(bytes.duplicate());
        while (bytes.hasRemaining()) at += channel.write(bytes, at);
      }
      nanos = System.nanoTime() - start;
    }
    if (sums.getValue() == 0) throw new IllegalStateException("nothing was summed");
    Files.delete(path);
    return Rate.mibPerSecond((long) size * puts, nanos);
  }

  private static MemorySegment piece(MemorySegment source, int size, int number) {
    return source.asSlice((long) number * size % SOURCE_BYTES, size);
  }
}
