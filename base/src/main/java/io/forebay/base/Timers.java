// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

import java.util.PriorityQueue;

/**
 * The timers of a core, on its clock. The loop calls {@link #runDue} and sleeps at most until
 * {@link #nextNanos}. Called by the owner's loop only.
 */
public final class Timers {
  /** What {@link #nextNanos} says when nothing is wanted. */
  public static final long NEVER = Long.MAX_VALUE;

  /** One thing wanted later, until it has run or is cancelled. */
  public static final class Timer {
    private final long dueNanos;
    private final long number;
    private Runnable action;
    private boolean over;

    private Timer(long dueNanos, long number, Runnable action) {
      this.dueNanos = dueNanos;
      this.number = number;
      this.action = action;
    }

    public void cancel() {
      over = true;
      action = () -> {};
    }
  }

  private final MonotonicClock clock;
  private final PriorityQueue<Timer> queue =
      new PriorityQueue<>(
          (a, b) -> {
            // The difference, since a monotonic clock may start anywhere.
            int byTime = Long.signum(a.dueNanos - b.dueNanos);
            return byTime != 0 ? byTime : Long.compare(a.number, b.number);
          });
  private long count;

  public Timers(MonotonicClock clock) {
    this.clock = clock;
  }

  /** The time on this core's clock. */
  public long nanos() {
    return clock.nanos();
  }

  /** Runs the action once, this many nanoseconds from now or soon after. */
  public Timer after(long delayNanos, Runnable action) {
    Timer timer = new Timer(clock.nanos() + Math.max(0, delayNanos), count++, action);
    queue.add(timer);
    return timer;
  }

  /** Runs the actions that are due, in the order of time; returns whether there were any. */
  public boolean runDue() {
    long now = clock.nanos();
    // What an action asks for at once waits for the next call, so that this one ends.
    long last = count;
    boolean ran = false;
    while (true) {
      Timer first = queue.peek();
      if (first == null || first.dueNanos - now > 0 || first.number >= last) return ran;
      queue.remove();
      if (first.over) continue;
      first.over = true;
      first.action.run();
      ran = true;
    }
  }

  /** How many nanoseconds from now the next action is due, at least 0, or {@link #NEVER}. */
  public long nextNanos() {
    while (true) {
      Timer first = queue.peek();
      if (first == null) return NEVER;
      if (!first.over) return Math.max(0, first.dueNanos - clock.nanos());
      queue.remove();
    }
  }
}
