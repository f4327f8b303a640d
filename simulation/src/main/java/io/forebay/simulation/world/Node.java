// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.base.Timers;

/**
 * One process of a simulated cluster. A killed process does nothing until it is started again; a
 * paused one does nothing either, and then continues as if no time had passed.
 */
public abstract class Node {
  private final String host;
  private final NodeClock clock;
  private Timers timers;
  private boolean alive;
  private boolean paused;

  Node(String host, SimulatedClock clock) {
    this.host = host;
    this.clock = new NodeClock(clock);
    this.timers = new Timers(this.clock);
  }

  public final String host() {
    return host;
  }

  public final boolean isAlive() {
    return alive;
  }

  /** Whether it lives and is not paused. */
  public final boolean isRunning() {
    return alive && !paused;
  }

  public final boolean isPaused() {
    return alive && paused;
  }

  /** Called only by {@link World}, which also tells the network. */
  final void setPaused(boolean now) {
    paused = now;
  }

  /** The timers of the process that runs now. */
  public final Timers timers() {
    return timers;
  }

  /** The time as the process knows it. */
  public final long nanos() {
    return timers.nanos();
  }

  public final NodeClock clock() {
    return clock;
  }

  /** Begins a process. */
  final void begin() {
    if (alive) throw new IllegalStateException(host + " is running");
    alive = true;
    timers = new Timers(clock);
  }

  /** The process is gone with all its pending work. */
  final void end() {
    alive = false;
    paused = false;
    timers = new Timers(clock);
  }

  /** A round of the process's loop; says whether another is wanted soon. */
  abstract boolean poll();
}
