// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.output;

import io.forebay.parallel.Group;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * When this rank was busy with one kind of work. Of several ranks, times at which more than one was
 * busy count once. All ranks are on one host, so that they have one clock. One thread.
 */
final class BusyTimes {
  private record Span(long from, long to) {}

  private final List<Span> spans = new ArrayList<>();

  /** Busy from then until now. */
  void addSince(long startNanos) {
    add(startNanos, System.nanoTime());
  }

  void add(long fromNanos, long toNanos) {
    spans.add(new Span(fromNanos, toNanos));
  }

  void clear() {
    spans.clear();
  }

  /** How long any rank was busy with one of these; collective. */
  static long nanos(Group group, BusyTimes... kinds) {
    int count = 0;
    for (BusyTimes each : kinds) count += each.spans.size();
    ByteBuffer mine = ByteBuffer.allocate(2 * count * Long.BYTES);
    for (BusyTimes each : kinds) {
      for (Span span : each.spans) mine.putLong(span.from).putLong(span.to);
    }
    List<Span> all = new ArrayList<>();
    for (byte[] bytes : group.allGather(mine.array())) {
      LongBuffer longs = ByteBuffer.wrap(bytes).asLongBuffer();
      while (longs.hasRemaining()) all.add(new Span(longs.get(), longs.get()));
    }
    return union(all);
  }

  private static long union(List<Span> spans) {
    if (spans.isEmpty()) return 0;
    spans.sort(Comparator.comparingLong(Span::from));
    long total = 0;
    long until = spans.getFirst().from;
    for (Span span : spans) {
      total += Math.max(0, span.to - Math.max(until, span.from));
      until = Math.max(until, span.to);
    }
    return total;
  }
}
