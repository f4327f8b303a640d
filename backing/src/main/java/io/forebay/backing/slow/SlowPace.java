// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.slow;

import io.forebay.base.MonotonicClock;

/**
 * When a call to the slow profile ends: its bytes move after those of all earlier calls, at a fixed
 * rate for the whole store. Each call also takes a fixed time, which overlaps with that of others.
 * Any thread.
 */
final class SlowPace {
  static final long CALL_NANOS = 500_000;

  /** The profile's own; an address may name another. */
  static final long BYTES_PER_SECOND = 200_000_000;

  /** Longer than any real queue. A larger value was left by a clock that has restarted since. */
  static final long QUEUE_NANOS_MAX = 300_000_000_000L;

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /** Until when the device is busy; several processes may share it. */
  interface Busy {
    long untilNanos();

    boolean change(long expectedNanos, long untilNanos);

    /** This user of it needs it no more. */
    void close();
  }

  private final Busy busy;
  private final long bytesPerSecond;
  private final MonotonicClock clock;

  SlowPace(Busy busy, long bytesPerSecond, MonotonicClock clock) {
    if (bytesPerSecond <= 0) throw new IllegalArgumentException("rate " + bytesPerSecond);
    this.busy = busy;
    this.bytesPerSecond = bytesPerSecond;
    this.clock = clock;
  }

  /** Occupies the device for this number of bytes, and returns the time at which the call ends. */
  long endNanos(long bytes) {
    long moveNanos = bytes * NANOS_PER_SECOND / bytesPerSecond;
    while (true) {
      long now = clock.nanos();
      long until = busy.untilNanos();
      long queueNanos = until - now;
      long start = queueNanos > 0 && queueNanos <= QUEUE_NANOS_MAX ? until : now;
      if (moveNanos == 0 || busy.change(until, start + moveNanos)) {
        // A call without bytes does not wait for those with bytes.
        return (moveNanos == 0 ? now : start + moveNanos) + CALL_NANOS;
      }
    }
  }
}
