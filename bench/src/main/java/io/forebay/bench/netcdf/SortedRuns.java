// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf;

import io.forebay.drain.reorder.Pieces;
import io.forebay.netcdf.data.Runs;
import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.Variable;
import java.util.Arrays;
import java.util.List;

/**
 * The baseline of two-level reordering: all requests are taken apart into runs, and these are
 * sorted. Runs must not overlap. One thread.
 */
final class SortedRuns {
  /** Offset, length and place of a run. */
  private static final int NUMBERS = 3;

  /** Fewer than this are sorted by insertion. */
  private static final int FEW = 16;

  private static final int PLACE_BITS = 24;

  private final Layout layout;
  private final List<Transfer> transfers;
  private long[] runs = new long[NUMBERS * 1024];
  private int count;

  SortedRuns(Layout layout, List<Transfer> transfers) {
    this.layout = layout;
    this.transfers = transfers;
  }

  /** As offset-length lists usually are: records, moved as a whole by a quicksort. */
  Pieces asRecords() {
    flatten();
    sort(0, count - 1);
    Pieces pieces = new Pieces(count);
    for (int i = 0; i < count; i++) append(i, pieces);
    return pieces;
  }

  /** Offsets with the numbers of their runs, packed into one long each. */
  Pieces asNumbers() {
    flatten();
    if (count >= 1 << PLACE_BITS) throw new IllegalStateException(count + " runs");
    long[] packed = new long[count];
    for (int i = 0; i < count; i++) packed[i] = runs[NUMBERS * i] << PLACE_BITS | i;
    Arrays.sort(packed);
    Pieces pieces = new Pieces(count);
    for (long each : packed) append((int) each & ((1 << PLACE_BITS) - 1), pieces);
    return pieces;
  }

  private void append(int run, Pieces pieces) {
    int at = NUMBERS * run;
    pieces.append(runs[at], (int) runs[at + 1], 0, runs[at + 2]);
  }

  private void flatten() {
    count = 0;
    long[] place = new long[1];
    for (Transfer transfer : transfers) {
      Variable variable = layout.header().variables().get(transfer.variable());
      for (Subarray part : transfer.parts()) {
        Runs.of(layout, variable, part)
            .forEach(
                (offset, bytes) -> {
                  add(offset, bytes, place[0]);
                  place[0] += bytes;
                });
      }
    }
  }

  private void add(long offset, long bytes, long place) {
    int at = NUMBERS * count++;
    if (at == runs.length) runs = Arrays.copyOf(runs, 2 * runs.length);
    runs[at] = offset;
    runs[at + 1] = bytes;
    runs[at + 2] = place;
  }

  private void sort(int from, int to) {
    int low = from;
    int high = to;
    while (high - low > FEW) {
      int middle = partition(low, high);
      // The shorter side first, so that the depth stays small.
      if (middle - low < high - middle) {
        sort(low, middle);
        low = middle + 1;
      } else {
        sort(middle + 1, high);
        high = middle;
      }
    }
    for (int i = low + 1; i <= high; i++) {
      for (int j = i; j > low && offset(j) < offset(j - 1); j--) swap(j, j - 1);
    }
  }

  private int partition(int low, int high) {
    long pivot = median(offset(low), offset((low + high) >>> 1), offset(high));
    int left = low - 1;
    int right = high + 1;
    while (true) {
      do left++;
      while (offset(left) < pivot);
      do right--;
      while (offset(right) > pivot);
      if (left >= right) return right;
      swap(left, right);
    }
  }

  private static long median(long a, long b, long c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }

  private long offset(int run) {
    return runs[NUMBERS * run];
  }

  private void swap(int one, int other) {
    for (int i = 0; i < NUMBERS; i++) {
      long kept = runs[NUMBERS * one + i];
      runs[NUMBERS * one + i] = runs[NUMBERS * other + i];
      runs[NUMBERS * other + i] = kept;
    }
  }
}
