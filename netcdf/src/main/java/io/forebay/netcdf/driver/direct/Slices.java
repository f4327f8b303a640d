// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

import io.forebay.drain.reorder.Pieces;
import io.forebay.netcdf.driver.Meter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Processes requests in slices of the file, each with no more runs than the memory allows: a
 * strided write of small elements has a run for each of them. All ranks process the same slices, so
 * that overlapping requests are in the same one.
 *
 * <ol>
 *   <li>The ranks know the range of all requests and the largest number of runs. If that is small,
 *       the range is one slice.
 *   <li>Else the range is cut into slices of equal length.
 *   <li>A slice in which a rank still has too many runs is cut in two, and so on.
 * </ol>
 */
final class Slices {
  /** How many runs of a rank are in memory at a time; each takes about a hundred bytes. */
  static final int RUNS_MAX = 1 << 16;

  /** Slices begin at multiples of this, and are not shorter. */
  private static final long GRAIN_BYTES = 4 << 10;

  /** Agrees with other ranks on the lowest of each number. */
  @FunctionalInterface
  interface Lowest {
    long[] of(long... numbers);
  }

  /** Takes the pieces of one slice, and where it begins and ends. */
  @FunctionalInterface
  interface Sink {
    void slice(Pieces pieces, long start, long end) throws IOException;
  }

  private final FileOrder order;
  private final RankRanges ranges;
  private final Lowest lowest;
  private final Meter meter;
  private final Sink sink;
  private @Nullable IOException failure;

  private Slices(FileOrder order, RankRanges ranges, Lowest lowest, Meter meter, Sink sink) {
    this.order = order;
    this.ranges = ranges;
    this.lowest = lowest;
    this.meter = meter;
    this.sink = sink;
  }

  /** Processes all slices, even if one fails: other ranks process them too. */
  static void forEach(FileOrder order, RankRanges ranges, Lowest lowest, Meter meter, Sink sink)
      throws IOException {
    Slices slices = new Slices(order, ranges, lowest, meter, sink);
    slices.run();
    if (slices.failure != null) throw slices.failure;
  }

  private void run() {
    // Step 1.
    long start = ranges.start();
    long end = ranges.end();
    long runs = ranges.runsMax();
    if (start >= end) return;
    if (runs <= RUNS_MAX) {
      long nanos = meter.nanos();
      Pieces pieces = order.pieces();
      meter.addSince(Meter.Quantity.REORDER_NANOS, nanos);
      take(pieces, start, end);
      return;
    }
    // Step 2.
    long bytes = grains(Math.ceilDiv(end - start, Math.ceilDiv(runs, RUNS_MAX)));
    long first = start / GRAIN_BYTES * GRAIN_BYTES;
    for (long from = first; from < end; from += bytes) cut(from, Math.min(end, from + bytes));
  }

  /** Step 3. */
  private void cut(long from, long to) {
    long runs = -lowest.of(-order.runs(from, to))[0];
    if (runs == 0) return;
    if (runs > RUNS_MAX && to - from > GRAIN_BYTES) {
      long middle = from + grains((to - from) / 2);
      cut(from, middle);
      cut(middle, to);
      return;
    }
    long nanos = meter.nanos();
    Pieces pieces = order.pieces(from, to);
    meter.addSince(Meter.Quantity.REORDER_NANOS, nanos);
    take(pieces, from, to);
  }

  private static long grains(long bytes) {
    return Math.ceilDiv(bytes, GRAIN_BYTES) * GRAIN_BYTES;
  }

  private void take(Pieces pieces, long start, long end) {
    try {
      sink.slice(pieces, start, end);
    } catch (IOException e) {
      if (failure == null) failure = e;
      else failure.addSuppressed(e);
    }
  }
}
