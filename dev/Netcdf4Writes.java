// SPDX-License-Identifier: Apache-2.0

import com.sun.management.OperatingSystemMXBean;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Variable;
import io.forebay.netcdf4.Netcdf4File;
import io.forebay.netcdf4.Netcdf4Options;
import io.forebay.netcdf4.RawLayout;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures how long it takes to create, write, close and force a file of one variable, in the
 * directories given. The ways take turns, so that noise hits all alike. Prints medians. Run by
 * {@code dev/measure-netcdf4}.
 */
final class Netcdf4Writes {
  private static final int PLANES = 32;
  private static final int ROWS = 1024;
  private static final int COLUMNS = 1024;
  private static final int PLANE_BYTES = ROWS * COLUMNS * Double.BYTES;
  private static final int RUNS = 5;
  private static final int WARM_UPS = 1;
  private static final double MEBIBYTE = 1 << 20;

  private interface Way {
    void write(Path path, MemorySegment plane) throws IOException;
  }

  private Netcdf4Writes() {}

  public static void main(String[] directories) throws IOException {
    Map<String, Way> ways = new LinkedHashMap<>();
    ways.put("plain file, 1 thread", (path, plane) -> writeRaw(path, plane, 0, 1));
    ways.put("nc_put_vara, plane by plane", (path, plane) -> writeSerially(path, plane, 0));
    for (int threads : new int[] {1, 2, 4}) {
      ways.put(
          "raw, " + threads + " thread" + (threads == 1 ? "" : "s"),
          (path, plane) -> writeContiguous(path, plane, threads));
    }
    ways.put("nc_put_vara, deflate level 1", (path, plane) -> writeSerially(path, plane, 1));
    System.out.printf(
        "%.0f MiB in writes of %.0f MiB, medians of %d runs, %d processors%n",
        PLANES * (PLANE_BYTES / MEBIBYTE),
        PLANE_BYTES / MEBIBYTE,
        RUNS,
        Runtime.getRuntime().availableProcessors());
    for (String directory : directories) measure(Path.of(directory), ways);
  }

  private static void measure(Path directory, Map<String, Way> ways) throws IOException {
    Path path = directory.resolve("measured-" + ProcessHandle.current().pid() + ".nc");
    Map<String, List<Double>> seconds = new LinkedHashMap<>();
    Map<String, List<Double>> processorSeconds = new LinkedHashMap<>();
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment plane = arena.allocate(PLANE_BYTES, Long.BYTES);
      for (int i = 0; i < PLANE_BYTES; i++) {
        plane.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + i / 251));
      }
      for (int run = -WARM_UPS; run < RUNS; run++) {
        // In another order each time: a way profits from memory that the one before it freed.
        List<Map.Entry<String, Way>> order = new ArrayList<>(ways.entrySet());
        Collections.shuffle(order, new Random(run));
        for (Map.Entry<String, Way> way : order) {
          long start = System.nanoTime();
          long processorStart = system.getProcessCpuTime();
          way.getValue().write(path, plane);
          force(path);
          double taken = (System.nanoTime() - start) / 1e9;
          double processorTaken = (system.getProcessCpuTime() - processorStart) / 1e9;
          Files.delete(path);
          if (run < 0) continue;
          seconds.computeIfAbsent(way.getKey(), k -> new ArrayList<>()).add(taken);
          processorSeconds
              .computeIfAbsent(way.getKey(), k -> new ArrayList<>())
              .add(processorTaken);
        }
      }
    } finally {
      Files.deleteIfExists(path);
    }
    System.out.println(directory);
    for (String way : ways.keySet()) {
      double[] taken = sorted(seconds.get(way));
      double median = taken[RUNS / 2];
      System.out.printf(
          "  %-30s %7.0f ms  %6.0f MiB/s  (%.0f to %.0f ms)  %6.0f ms of processor time%n",
          way,
          median * 1000,
          PLANES * (PLANE_BYTES / MEBIBYTE) / median,
          taken[0] * 1000,
          taken[RUNS - 1] * 1000,
          sorted(processorSeconds.get(way))[RUNS / 2] * 1000);
    }
  }

  private static double[] sorted(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
  }

  private static Header header() {
    Variable variable =
        new Variable("v", ElementType.DOUBLE, List.of(0, 1, 2), List.of(), Variable.NOWHERE);
    List<Dimension> dimensions =
        List.of(new Dimension("t", PLANES), new Dimension("y", ROWS), new Dimension("x", COLUMNS));
    return new Header(Format.CDF5, 0, dimensions, List.of(), List.of(variable));
  }

  private static void writeSerially(Path path, MemorySegment plane, int deflateLevel)
      throws IOException {
    Netcdf4Options options = Netcdf4Options.standard().withDeflateLevel(deflateLevel);
    try (Netcdf4File file = Netcdf4File.create(path, header(), options)) {
      for (int t = 0; t < PLANES; t++) {
        file.write(0, new long[] {t, 0, 0}, new long[] {1, ROWS, COLUMNS}, plane);
      }
    }
  }

  private static void writeContiguous(Path path, MemorySegment plane, int threads)
      throws IOException {
    RawLayout layout = Netcdf4File.createContiguous(path, header(), Netcdf4Options.standard());
    writeRaw(path, plane, layout.address(0, 0), threads);
  }

  /** The threads share the planes; each writes through a channel of its own. */
  private static void writeRaw(Path path, MemorySegment plane, long address, int threads)
      throws IOException {
    List<Future<?>> done = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int thread = 0; thread < threads; thread++) {
        int first = thread;
        done.add(pool.submit(() -> writePlanes(path, plane, address, first, threads)));
      }
    }
    // The pool is closed, so all have ended.
    for (Future<?> future : done) {
      if (future.state() == Future.State.FAILED) {
        throw new IOException("a thread failed to write " + path, future.exceptionNow());
      }
    }
  }

  private static Void writePlanes(Path path, MemorySegment plane, long address, int first, int step)
      throws IOException {
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      for (int t = first; t < PLANES; t += step) {
        var bytes = plane.asByteBuffer();
        long at = address + (long) t * PLANE_BYTES;
        while (bytes.hasRemaining()) at += channel.write(bytes, at);
      }
    }
    return null;
  }

  private static void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }
}
