// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import io.forebay.base.Timers;
import io.forebay.base.rule.Rule;
import io.forebay.seat.consensus.Consensus;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Whether a majority of the managers has confirmed lately that this one leads (P34). A manager that
 * was cut off from the others may have a successor without knowing it. What it decides is never
 * committed, but a lease is granted without a decision: so it is granted only shortly after a
 * confirmation, and a successor waits for that time too. A manager that is alone needs none.
 */
final class ConfirmedLeadership {
  /** How long a confirmation counts, from when it was asked for. */
  static final long CONFIRMED_NANOS = ProtocolTimes.DEFAULT.manager().confirmedNanos();

  /** Actions that wait for an answer; more get the answer no. */
  private static final int WAITING_MAX = Math.toIntExact(Limit.LEASE_REQUESTS.value());

  private final Consensus consensus;
  private final Timers timers;
  private final LimitCounts limits;
  private final List<Consumer<Boolean>> waiting = new ArrayList<>();
  private boolean asking;
  private boolean confirmed;
  private long confirmedNanos;

  ConfirmedLeadership(Consensus consensus, Timers timers, LimitCounts limits) {
    this.limits = limits;
    this.consensus = consensus;
    this.timers = timers;
  }

  /** Whether there is no other manager that could lead. */
  boolean isAlone() {
    return consensus.members().size() == 1;
  }

  /** How long a predecessor may go on granting leases (P34): a dead one does not. */
  long predecessorNanos() {
    return isAlone() ? 0 : CONFIRMED_NANOS;
  }

  /** The confirmations of an earlier leadership do not count. */
  void begin() {
    confirmed = false;
  }

  /**
   * Runs an action with whether leases may be granted: now if that is known, else once a majority
   * has answered.
   */
  void whenKnown(Consumer<Boolean> action) {
    if (isAlone()) {
      action.accept(true);
      return;
    }
    if (isFresh(timers.nanos())) {
      boolean ages = timers.nanos() - confirmedNanos > CONFIRMED_NANOS / 2;
      if (ages) ask();
      action.accept(true);
    } else if (waiting.size() >= WAITING_MAX) {
      limits.reached(Limit.LEASE_REQUESTS);
      action.accept(false);
    } else {
      waiting.add(action);
      ask();
    }
  }

  /** A lease is granted only if a majority has confirmed the leadership lately (P34). */
  @Rule("P34")
  private boolean isFresh(long nowNanos) {
    return confirmed && nowNanos - confirmedNanos < CONFIRMED_NANOS;
  }

  private void ask() {
    if (asking) return;
    asking = true;
    long askedNanos = timers.nanos();
    consensus.confirm(leads -> answered(leads, askedNanos));
  }

  private void answered(boolean leads, long askedNanos) {
    asking = false;
    confirmed = leads;
    confirmedNanos = askedNanos;
    List<Consumer<Boolean>> asked = List.copyOf(waiting);
    waiting.clear();
    boolean fresh = isFresh(timers.nanos());
    for (Consumer<Boolean> action : asked) action.accept(fresh);
  }
}
