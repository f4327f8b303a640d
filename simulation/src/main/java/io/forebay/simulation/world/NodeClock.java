// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.base.MonotonicClock;

/** The time of one machine: its clock may have stood still, but never goes back. */
public final class NodeClock implements MonotonicClock {
  private final SimulatedClock time;
  private long lostNanos;

  NodeClock(SimulatedClock time) {
    this.time = time;
  }

  @Override
  public long nanos() {
    return time.nanos() - lostNanos;
  }

  /** The clock stood still for this time. */
  public void stoodStill(long nanos) {
    lostNanos += nanos;
  }
}
