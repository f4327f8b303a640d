// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

import java.util.Arrays;

/**
 * Ranges of bytes for single calls: the requested ranges, sorted, and merged where they touch,
 * overlap, or are so near that transferring the bytes between them is cheaper than another call.
 */
final class Spans {
  /** Transferring a hole of this length costs about as much as a call. */
  static final long HOLE_BYTES_MAX = 64 << 10;

  private long[] ranges = new long[32];
  private int count;

  void clear() {
    count = 0;
  }

  void add(long start, long bytes) {
    // Most come in order; then nothing is left to sort.
    if (count > 0 && start <= end(count - 1) && start >= start(count - 1)) {
      ranges[2 * count - 1] = Math.max(end(count - 1), start + bytes);
      return;
    }
    if (2 * count == ranges.length) ranges = Arrays.copyOf(ranges, 2 * ranges.length);
    ranges[2 * count] = start;
    ranges[2 * count + 1] = start + bytes;
    count++;
  }

  private long start(int range) {
    return ranges[2 * range];
  }

  private long end(int range) {
    return ranges[2 * range + 1];
  }

  /** Takes one span. */
  @FunctionalInterface
  interface Sink<E extends Exception> {
    void span(long start, long end, boolean hasHoles) throws E;
  }

  /** Gives all spans to the sink, in order. */
  <E extends Exception> void forEach(long spanBytesMax, Sink<E> sink) throws E {
    sort();
    int from = 0;
    while (from < count) {
      long end = end(from);
      boolean holes = false;
      int to = from + 1;
      while (to < count
          && start(to) - end <= HOLE_BYTES_MAX
          && Math.max(end, end(to)) - start(from) <= spanBytesMax) {
        holes |= start(to) > end;
        end = Math.max(end, end(to));
        to++;
      }
      sink.span(start(from), end, holes);
      from = to;
    }
  }

  private void sort() {
    boolean sorted = true;
    for (int i = 1; i < count && sorted; i++) sorted = start(i - 1) <= start(i);
    if (sorted) return;
    long[][] rows = new long[count][];
    for (int i = 0; i < count; i++) rows[i] = new long[] {start(i), end(i)};
    Arrays.sort(rows, (a, b) -> Long.compare(a[0], b[0]));
    for (int i = 0; i < count; i++) {
      ranges[2 * i] = rows[i][0];
      ranges[2 * i + 1] = rows[i][1];
    }
  }
}
