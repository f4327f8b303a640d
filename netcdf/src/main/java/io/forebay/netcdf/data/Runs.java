// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.data;

import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.Variable;

/**
 * The runs of contiguous bytes in the file that a part of a variable takes, in the order of the
 * part's elements, which is that of the file. Adjacent dimensions without a gap become one run.
 */
public final class Runs {
  /** Takes one run. */
  @FunctionalInterface
  public interface Sink {
    void run(long offset, long bytes);
  }

  private final long firstOffset;
  private final long runBytes;
  private final long runCount;

  /** The loop over dimensions, the slowest first: number and length of steps. */
  private final long[] steps;

  private final long[] stepBytes;
  private final int outer;

  private Runs(Layout layout, Variable variable, Subarray part) {
    Header header = layout.header();
    int dimensions = part.dimensions();
    steps = new long[dimensions];
    stepBytes = new long[dimensions];
    long offset = variable.begin();
    long elementBytes = variable.type().sizeBytes();
    for (int d = dimensions - 1; d >= 0; d--) {
      boolean record = d == 0 && header.isRecord(variable);
      long distance = record ? layout.recordBytes() : elementBytes;
      offset += part.start(d) * distance;
      steps[d] = part.count(d);
      stepBytes[d] = distance * part.stride(d);
      if (!record) elementBytes *= header.length(variable, d);
    }
    firstOffset = offset;
    long bytes = variable.type().sizeBytes();
    int d = dimensions - 1;
    while (d >= 0 && (steps[d] == 1 || stepBytes[d] == bytes)) {
      bytes *= steps[d];
      d--;
    }
    runBytes = bytes;
    outer = d + 1;
    long count = 1;
    for (int i = 0; i < outer; i++) count *= steps[i];
    runCount = count;
  }

  /** The runs of a part that lies inside of its variable. */
  public static Runs of(Layout layout, Variable variable, Subarray part) {
    return new Runs(layout, variable, part);
  }

  /** How many runs there are. */
  public long count() {
    return runBytes == 0 ? 0 : runCount;
  }

  /** How long each of them is. */
  public long runBytes() {
    return runBytes;
  }

  /** Where the first of them begins. */
  public long firstOffset() {
    return firstOffset;
  }

  /** Where the last of them ends, which is behind all others. */
  public long endOffset() {
    long last = firstOffset;
    for (int d = 0; d < outer; d++) last += (steps[d] - 1) * stepBytes[d];
    return last + runBytes;
  }

  /** Takes one run, and how many are in front of it. */
  @FunctionalInterface
  public interface NumberedSink {
    void run(long offset, long bytes, long number);
  }

  /** How many runs have bytes at offsets from one up to another. */
  public long countWithin(long from, long to) {
    long[] count = new long[1];
    eachRow(from, to, (offset, first, steps) -> count[0] += steps);
    return count[0];
  }

  /**
   * Gives the runs to the sink that have bytes at offsets from one up to another, each as a whole.
   */
  public void forEachWithin(long from, long to, NumberedSink sink) {
    eachRow(
        from,
        to,
        (offset, first, steps) -> {
          long next = offset;
          for (long i = 0; i < steps; i++) {
            sink.run(next, runBytes, first + i);
            next += outer == 0 ? 0 : stepBytes[outer - 1];
          }
        });
  }

  /** Takes runs at the same distance from each other. */
  private interface RowSink {
    void row(long offset, long firstNumber, long steps);
  }

  /**
   * Handles the fastest dimension in one step, so that rows outside the range cost almost nothing.
   */
  private void eachRow(long from, long to, RowSink sink) {
    if (count() == 0 || to <= firstOffset || from >= endOffset()) return;
    int inner = Math.max(0, outer - 1);
    long rowSteps = outer == 0 ? 1 : steps[inner];
    long distance = outer == 0 ? 1 : stepBytes[inner];
    long[] at = new long[inner];
    long offset = firstOffset;
    long number = 0;
    while (offset < to) {
      long first = Math.max(0, Math.floorDiv(from - runBytes - offset, distance) + 1);
      long end = Math.min(rowSteps, Math.ceilDiv(to - offset, distance));
      if (first < end) sink.row(offset + first * distance, number + first, end - first);
      number += rowSteps;
      int d = inner - 1;
      while (d >= 0 && at[d] == steps[d] - 1) {
        offset -= at[d] * stepBytes[d];
        at[d] = 0;
        d--;
      }
      if (d < 0) return;
      at[d]++;
      offset += stepBytes[d];
    }
  }

  /** Gives all runs to the sink. */
  public void forEach(Sink sink) {
    if (count() == 0) return;
    // The fastest dimension separately: most of the work is there.
    int inner = Math.max(0, outer - 1);
    long innerSteps = outer == 0 ? 1 : steps[inner];
    long innerBytes = outer == 0 ? 0 : stepBytes[inner];
    long[] at = new long[inner];
    long offset = firstOffset;
    while (true) {
      long end = offset + innerSteps * innerBytes;
      if (innerSteps == 1) sink.run(offset, runBytes);
      else for (long next = offset; next < end; next += innerBytes) sink.run(next, runBytes);
      int d = inner - 1;
      while (d >= 0 && at[d] == steps[d] - 1) {
        offset -= at[d] * stepBytes[d];
        at[d] = 0;
        d--;
      }
      if (d < 0) return;
      at[d]++;
      offset += stepBytes[d];
    }
  }
}
