// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.WireLimits;

/**
 * Watches one direction of a connection during a transfer: in each window of time, bytes must move
 * at a minimum rate. A transfer that completes before the first window ends always passes.
 */
final class MinimumRate {
  private static final double BYTES_PER_NANO_MIN = WireLimits.BYTES_PER_SECOND_MIN / 1e9;

  private boolean running;
  private long sinceNanos;
  private long bytes;

  /** A transfer begins: opens the first window, unless one is open. */
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

  /** Begins a new window: this end was paused, and cannot tell which end was slow. */
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
