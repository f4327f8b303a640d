// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import java.util.ArrayList;
import java.util.List;

/** When a client's operations were slow. Any thread. */
public final class SlowOperations {
  /** Faster operations are not recorded. */
  private static final long SLOW_NANOS = 20_000_000;

  private record Slow(long startNanos, long endNanos) {}

  private final List<Slow> all = new ArrayList<>();

  /** Remembers an operation if it was slow. */
  public synchronized void took(long startNanos, long endNanos) {
    if (endNanos - startNanos >= SLOW_NANOS) all.add(new Slow(startNanos, endNanos));
  }

  /** The longest operation that was pending at some moment of that time; 0 if none was slow. */
  public synchronized double longestSeconds(long fromNanos, long toNanos) {
    long longest = 0;
    for (Slow slow : all) {
      if (slow.startNanos > toNanos || slow.endNanos < fromNanos) continue;
      longest = Math.max(longest, slow.endNanos - slow.startNanos);
    }
    return longest / 1e9;
  }
}
