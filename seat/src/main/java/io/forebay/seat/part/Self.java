// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import io.forebay.base.SeatId;
import io.forebay.wire.message.Statuses;

/** The identity of this seat. */
public interface Self {
  /** Its number in the ring; {@link Statuses#NO_PLACE} before it follows a map. */
  SeatId id();

  /** Whether it knows its number: after a start not before it follows a map. */
  boolean hasPlace();

  /** A new random number whenever the log has lost data (P11). */
  long incarnation();

  /** Drawn when this process started. */
  long processStart();

  /** When this process started, on the clock of its timers. */
  long startedNanos();
}
