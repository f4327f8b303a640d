// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.node;

import java.util.Map;
import java.util.TreeMap;

/**
 * The ranges of a file that were allocated and have not been written, as fallocate(2) leaves them.
 * They only affect the reported size on disk. So when there are too many ranges, the smaller part
 * of a split range is dropped.
 */
public final class ReservedRanges {
  /** Is shown ranges in order, without their ends. */
  public interface Visitor {
    void range(long from, long to);
  }

  static final int RANGES_MAX = 1024;

  private final TreeMap<Long, Long> endByStart = new TreeMap<>();
  private long bytes;

  /** Of all ranges together. */
  public long bytes() {
    return bytes;
  }

  public void add(long from, long to) {
    if (from >= to) return;
    long start = from;
    long end = to;
    Map.Entry<Long, Long> before = endByStart.floorEntry(end);
    while (before != null && before.getValue() >= start) {
      start = Math.min(start, before.getKey());
      end = Math.max(end, before.getValue());
      take(before);
      before = endByStart.floorEntry(end);
    }
    put(start, end);
  }

  public void remove(long from, long to) {
    Map.Entry<Long, Long> before = endByStart.lowerEntry(to);
    while (before != null && before.getValue() > from) {
      long start = before.getKey();
      long end = before.getValue();
      take(before);
      boolean leftFirst = from - start >= end - to;
      if (leftFirst) putIfAny(start, from);
      putIfAny(to, end);
      if (!leftFirst) putIfAny(start, from);
      before = endByStart.lowerEntry(to);
    }
  }

  private void take(Map.Entry<Long, Long> range) {
    endByStart.remove(range.getKey());
    bytes -= range.getValue() - range.getKey();
  }

  private void putIfAny(long from, long to) {
    if (from < to) put(from, to);
  }

  private void put(long from, long to) {
    if (endByStart.size() == RANGES_MAX) return;
    endByStart.put(from, to);
    bytes += to - from;
  }

  public void forEach(Visitor visitor) {
    endByStart.forEach(visitor::range);
  }
}
