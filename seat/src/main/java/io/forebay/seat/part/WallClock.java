// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

/** Wall-clock time; it may jump. */
public interface WallClock {
  /** Nanoseconds since 1970. */
  long nanos();
}
