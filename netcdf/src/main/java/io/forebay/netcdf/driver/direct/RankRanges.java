// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

import java.util.Arrays;

/**
 * The range of the file that each rank writes in one collective call. All ranks know all ranges, so
 * they come to the same conclusions without communication.
 *
 * <p>Ranks with disjoint ranges gain nothing by an exchange: aggregators would write the same bytes
 * in as many calls. So each rank writes its own range, if no range has holes, and none begins
 * within a stripe in which another ends, unless it is as long as a stripe.
 */
final class RankRanges {
  private static final int NUMBERS = 4;

  /** Where the range of each rank begins, where it ends, its runs, and 1 if it has no holes. */
  private final long[] all;

  private RankRanges(long[] all) {
    this.all = all;
  }

  /** From the {@link #numbers} that all ranks have exchanged. */
  static RankRanges of(long[] all) {
    return new RankRanges(all);
  }

  /** The range of a rank that writes independently. */
  static RankRanges ofOne(FileOrder order, long bytes) {
    return new RankRanges(numbers(order, bytes));
  }

  /** The numbers about its requests that a rank sends to the others. */
  static long[] numbers(FileOrder order, long bytes) {
    boolean dense = order.end() - order.start() == bytes;
    return new long[] {order.start(), order.end(), order.runs(), dense ? 1 : 0};
  }

  /** Where the first byte of all ranks is; behind the end if there is none. */
  long start() {
    long start = Long.MAX_VALUE;
    for (int at = 0; at < all.length; at += NUMBERS) start = Math.min(start, all[at]);
    return start;
  }

  /** Where the last one ends. */
  long end() {
    long end = 0;
    for (int at = 0; at < all.length; at += NUMBERS) end = Math.max(end, all[at + 1]);
    return end;
  }

  /** The largest number of runs of any rank. */
  long runsMax() {
    long runs = 0;
    for (int at = 0; at < all.length; at += NUMBERS) runs = Math.max(runs, all[at + 2]);
    return runs;
  }

  /** Whether each rank writes its own range independently. */
  boolean areApart(long stripeBytes) {
    long[][] ranges = new long[all.length / NUMBERS][];
    int count = 0;
    for (int at = 0; at < all.length; at += NUMBERS) {
      if (all[at + 2] == 0) continue;
      if (all[at + 3] == 0) return false;
      ranges[count++] = new long[] {all[at], all[at + 1]};
    }
    Arrays.sort(ranges, 0, count, (a, b) -> Long.compare(a[0], b[0]));
    for (int i = 1; i < count; i++) {
      long[] before = ranges[i - 1];
      long[] next = ranges[i];
      if (next[0] < before[1]) return false;
      boolean sameStripe = next[0] / stripeBytes == (before[1] - 1) / stripeBytes;
      boolean shortOne = Math.min(length(before), length(next)) < stripeBytes;
      if (sameStripe && shortOne) return false;
    }
    return true;
  }

  private static long length(long[] range) {
    return range[1] - range[0];
  }
}
