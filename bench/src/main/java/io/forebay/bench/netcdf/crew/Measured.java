// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.crew;

import io.forebay.netcdf.Statistics;
import io.forebay.parallel.Group;
import io.forebay.parallel.Reduction;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The result of one trial: times of the slowest rank, writes of all.
 *
 * @param totalNanos from the first file's creation until everything is at the destination
 * @param putNanos inside calls that write variables
 * @param createNanos creating logs
 * @param logNanos appending to logs
 * @param flushNanos flushing logs or copying staged files to the destination
 * @param reorderNanos sorting pieces into the order of the file
 * @param writes to the destination
 */
public record Measured(
    long totalNanos,
    long putNanos,
    long createNanos,
    long logNanos,
    long flushNanos,
    long reorderNanos,
    long writes,
    long writtenBytes) {
  private static final String SEPARATOR = " ";

  /** Combines what the ranks have; collective. */
  static Measured together(
      Group group, long totalNanos, Statistics mine, long writes, long writtenBytes) {
    long[] times = {
      totalNanos,
      mine.putNanos(),
      mine.logCreateNanos(),
      mine.logWriteNanos(),
      mine.flushNanos(),
      mine.reorderNanos()
    };
    long[] slowest = group.allReduce(times, Reduction.MAX);
    long[] sums = group.allReduce(new long[] {writes, writtenBytes}, Reduction.SUM);
    return new Measured(
        slowest[0], slowest[1], slowest[2], slowest[3], slowest[4], slowest[5], sums[0], sums[1]);
  }

  String toLine() {
    long[] all = {
      totalNanos, putNanos, createNanos, logNanos, flushNanos, reorderNanos, writes, writtenBytes
    };
    return Arrays.stream(all).mapToObj(Long::toString).collect(Collectors.joining(SEPARATOR));
  }

  static Measured parse(String line) {
    long[] all = Arrays.stream(line.split(SEPARATOR, -1)).mapToLong(Long::parseLong).toArray();
    return new Measured(all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7]);
  }
}
