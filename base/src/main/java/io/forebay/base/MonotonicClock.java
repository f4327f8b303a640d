// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

/**
 * Time that only moves forward. Cores take one as a constructor parameter, so that simulated time
 * can stand in for it; its values mean something only in comparison with each other.
 */
@FunctionalInterface
public interface MonotonicClock {
  /** Nanoseconds since an arbitrary origin that stays the same for this clock's life. */
  long nanos();

  /** The machine's own monotonic clock. */
  static MonotonicClock system() {
    return System::nanoTime;
  }
}
