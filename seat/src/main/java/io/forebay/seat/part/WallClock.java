// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

/** The time people live in; it may jump. */
public interface WallClock {
  /** Nanoseconds since 1970. */
  long nanos();
}
