// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.WireLimits;

/**
 * Watches one direction of a connection while something is under way there: in each window of time
 * it must move bytes at a minimum rate. What is complete before the first window ends is never
 * judged.
 */
final class MinimumRate {
  private static final double BYTES_PER_NANO_MIN = WireLimits.BYTES_PER_SECOND_MIN / 1e9;

  private boolean running;
  private long sinceNanos;
  private long bytes;

  /** Something is under way: the first window begins, unless one has. */
  void begin(long now) {
    if (running) return;
    running = true;
    sinceNanos = now;
    bytes = 0;
  }

  void moved(long count) {
    bytes += count;
  }

  /** All of it is through, or it waits for this end. */
  void end() {
    running = false;
  }

  /** Begins a new window: this end was away, and cannot tell who was slow. */
  void restart(long now) {
    sinceNanos = now;
    bytes = 0;
  }

  /** Whether a window has ended with too few bytes; if not, the next one begins. */
  boolean isTooSlow(long now) {
    if (!running) return false;
    long nanos = now - sinceNanos;
    if (nanos < WireLimits.STALLED_NANOS_MAX) return false;
    boolean slow = bytes < nanos * BYTES_PER_NANO_MIN;
    sinceNanos = now;
    bytes = 0;
    return slow;
  }
}
