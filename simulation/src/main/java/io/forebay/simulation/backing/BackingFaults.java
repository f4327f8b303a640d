// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.backing;

import io.forebay.backing.BackingFailure;
import io.forebay.base.Timers;
import io.forebay.simulation.fault.FaultKind;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The faults of the simulated store: single calls that fail, before or after they were carried out,
 * or that are carried out long after they were reported as failed; and times in which it is away,
 * or full. Without faults everything works.
 */
public final class BackingFaults {
  /**
   * The fate of one call.
   *
   * @param carriedOut whether it is carried out when it arrives
   * @param carriedOutLater whether it is carried out after it was reported as failed
   * @param full whether it fails for lack of space
   */
  record Outcome(boolean carriedOut, boolean carriedOutLater, boolean fails, boolean full) {
    static final Outcome REFUSED = new Outcome(false, false, true, false);
    static final Outcome WELL = new Outcome(true, false, false, false);
  }

  private static final long SECOND = 1_000_000_000L;
  private static final long DELAY_NANOS_MIN = 25_000;
  private static final long DELAY_NANOS_MAX = 10_000_000;

  /** One in this many calls takes longer than the detection of a dead seat. */
  private static final int LATE_ONE_IN = 200;

  /** The maximum delay after which a store still carries out a call. */
  private static final long LATE_NANOS_MAX = 25 * SECOND;

  private static final long BETWEEN_NANOS_MAX = 20 * SECOND;
  private static final long BAD_NANOS_MAX = 8 * SECOND;

  private final Timers timers;
  private final SimulatedBackingStore store;
  private @Nullable BackingFailure refusal;
  private int failsOneIn;
  private boolean storms;
  private long nextNanos;
  private long awayUntilNanos;
  private long fullUntilNanos;
  private int lateCalls;
  private int lateRefused;
  private int refused;

  /**
   * Without faults.
   *
   * @param timers the world's, which outlive processes
   */
  public BackingFaults(Timers timers, SimulatedBackingStore store) {
    this.timers = timers;
    this.store = store;
    this.awayUntilNanos = timers.nanos();
    this.fullUntilNanos = timers.nanos();
  }

  /** From now on one in this many calls fails; with 0 none does. */
  public void failing(int oneIn) {
    failsOneIn = oneIn;
    if (oneIn > 0) return;
    storms = false;
    awayUntilNanos = timers.nanos();
    fullUntilNanos = timers.nanos();
  }

  /** From now on every call is refused with that reason; with null none is. */
  void refuse(@Nullable BackingFailure why) {
    refusal = why;
  }

  /** From now on the store is also away, full, or crashes at times. */
  public void storming() {
    storms = true;
    nextNanos = timers.nanos();
  }

  /** How many calls were carried out after they were reported as failed. */
  int lateCalls() {
    return lateCalls;
  }

  /** How many calls were refused for the reason that was given. */
  int refused() {
    return refused;
  }

  int lateRefused() {
    return lateRefused;
  }

  /** A fault of the whole store at this time, or null. */
  public @Nullable FaultKind act(SplittableRandom random) {
    if (!storms || timers.nanos() - nextNanos < 0) return null;
    nextNanos = timers.nanos() + random.nextLong(BETWEEN_NANOS_MAX);
    long until = timers.nanos() + random.nextLong(BAD_NANOS_MAX);
    return switch (random.nextInt(3)) {
      case 0 -> {
        awayUntilNanos = until;
        yield FaultKind.STORE_AWAY;
      }
      case 1 -> {
        fullUntilNanos = until;
        yield FaultKind.STORE_FULL;
      }
      default -> {
        awayUntilNanos = until;
        store.crash(random);
        yield FaultKind.STORE_CRASHED;
      }
    };
  }

  void after(long nanos, Runnable what) {
    timers.after(nanos, what);
  }

  long delayNanos(SplittableRandom random) {
    boolean late = failsOneIn > 0 && random.nextInt(LATE_ONE_IN) == 0;
    return late ? lateNanos(random) : random.nextLong(DELAY_NANOS_MIN, DELAY_NANOS_MAX);
  }

  long answerNanos(SplittableRandom random) {
    return random.nextLong(DELAY_NANOS_MIN, DELAY_NANOS_MAX);
  }

  long lateNanos(SplittableRandom random) {
    return random.nextLong(LATE_NANOS_MAX);
  }

  /** Whether a call is carried out eventually although its sender is dead. */
  boolean outlivesItsSender(SplittableRandom random) {
    return failsOneIn > 0 && random.nextBoolean();
  }

  /**
   * The fate of a call that arrives now.
   *
   * @param space whether it needs space
   */
  Outcome outcome(boolean space, SplittableRandom random) {
    if (refusal != null) {
      refused++;
      return Outcome.REFUSED;
    }
    boolean away = timers.nanos() - awayUntilNanos < 0;
    boolean full = space && timers.nanos() - fullUntilNanos < 0;
    boolean fails = away || (failsOneIn > 0 && random.nextInt(failsOneIn) == 0);
    if (!fails) return full ? new Outcome(false, false, true, true) : Outcome.WELL;
    int how = random.nextInt(3);
    return new Outcome(how == 0, how == 1, true, false);
  }

  @Nullable BackingFailure failure(Outcome outcome) {
    if (!outcome.fails) return null;
    if (refusal != null) return refusal;
    return outcome.full
        ? new BackingFailure.NoSpace("the simulated store is full")
        : new BackingFailure.Unavailable("the simulated store is away");
  }

  void carriedOutLate() {
    lateCalls++;
  }

  void refusedLate() {
    lateRefused++;
  }
}
