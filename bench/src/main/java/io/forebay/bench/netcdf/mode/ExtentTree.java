// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.mode;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * The extents of a log by their offsets in the file, without overlaps: the latest counts. One
 * rank's thread.
 */
final class ExtentTree {
  /**
   * Bytes of the file and where they are in the log.
   *
   * @param place in the log
   */
  record Extent(long offset, long bytes, long place) {
    long end() {
      return offset + bytes;
    }

    private Extent from(long start) {
      return new Extent(start, end() - start, place + (start - offset));
    }

    private Extent upTo(long newEnd) {
      return new Extent(offset, newEnd - offset, place);
    }
  }

  private final TreeMap<Long, Extent> extents = new TreeMap<>();

  /** Adds an extent over all existing ones. */
  void add(Extent added) {
    Map.Entry<Long, Extent> before = extents.lowerEntry(added.offset());
    if (before != null && before.getValue().end() > added.offset()) {
      Extent old = before.getValue();
      extents.put(old.offset(), old.upTo(added.offset()));
      if (old.end() > added.end()) extents.put(added.end(), old.from(added.end()));
    }
    while (true) {
      Map.Entry<Long, Extent> next = extents.ceilingEntry(added.offset());
      if (next == null || next.getKey() >= added.end()) break;
      Extent old = next.getValue();
      extents.remove(next.getKey());
      if (old.end() > added.end()) extents.put(added.end(), old.from(added.end()));
    }
    extents.put(added.offset(), added);
  }

  /** All of them in the order of the file. */
  Collection<Extent> inOrder() {
    return extents.values();
  }

  boolean isEmpty() {
    return extents.isEmpty();
  }

  void clear() {
    extents.clear();
  }
}
