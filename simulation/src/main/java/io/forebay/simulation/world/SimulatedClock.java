// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.base.MonotonicClock;

/** Time that moves only when the world advances it. */
final class SimulatedClock implements MonotonicClock {
  private long nanos = 1_000_000_000L;

  @Override
  public long nanos() {
    return nanos;
  }

  void advance(long byNanos) {
    if (byNanos < 0) throw new IllegalArgumentException("time does not go back: " + byNanos);
    nanos += byNanos;
  }
}
