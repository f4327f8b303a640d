// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import io.forebay.simulation.audit.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Distinguishes an operation that hangs from one that faults delay (I5). A client tries a request
 * as long as something moves, so each fault may delay an operation further. Hence:
 *
 * <ol>
 *   <li>When a user has waited for {@link #LONG_NANOS}, all faults end.
 *   <li>A user that still waits {@link #HEALED_NANOS} later hangs.
 * </ol>
 *
 * <p>The thread of the simulation.
 */
public final class LongWaits {
  private static final long SECOND = 1_000_000_000L;

  /** An operation takes longer only if several faults in a row hit the seats that it needs. */
  static final long LONG_NANOS = 90 * SECOND;

  /** The time to heal, and then the time after which a client gives up if nothing moves. */
  static final long HEALED_NANOS = (10 + 30) * SECOND;

  /** A user. */
  public interface Waiter {
    /** How long its present operation has taken. */
    long waitedNanos();

    /** Its name in messages. */
    String name();
  }

  private enum State {
    FAULTS,
    HEALED
  }

  private final LongSupplier clock;
  private final Runnable heal;
  private State state = State.FAULTS;
  private long healedNanos;

  /**
   * No user has waited for long yet.
   *
   * @param heal ends all faults, once
   */
  public LongWaits(LongSupplier clock, Runnable heal) {
    this.clock = clock;
    this.heal = heal;
  }

  /** Whether all faults have ended because a user had waited for long. */
  public boolean healed() {
    return state == State.HEALED;
  }

  /** Ends faults if need be, and tells which users hang. */
  public List<Problem> look(List<? extends Waiter> users) {
    List<Problem> hanging = new ArrayList<>();
    for (Waiter each : users) {
      if (!isLong(each)) continue;
      if (state == State.FAULTS) heal();
      if (clock.getAsLong() - healedNanos > HEALED_NANOS) {
        String sentence =
            "%s has waited for %d s, the last %d s without faults"
                .formatted(
                    each.name(),
                    each.waitedNanos() / SECOND,
                    (clock.getAsLong() - healedNanos) / SECOND);
        hanging.add(new Problem("I5", sentence));
      }
    }
    return hanging;
  }

  /** Whether a user waits for so long that it may hang. */
  public boolean isUndecided(List<? extends Waiter> users) {
    return users.stream().anyMatch(LongWaits::isLong);
  }

  private static boolean isLong(Waiter user) {
    return user.waitedNanos() > LONG_NANOS;
  }

  private void heal() {
    state = State.HEALED;
    healedNanos = clock.getAsLong();
    heal.run();
  }
}
