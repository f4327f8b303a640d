// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import io.forebay.base.Timers;
import io.forebay.base.rule.Rule;
import io.forebay.seat.consensus.Consensus;
import java.util.function.BooleanSupplier;

/**
 * Decides what a manager does that is shown a map which it has not made (P35):
 *
 * <ol>
 *   <li>If it is alone, part of its log was lost, and it stops.
 *   <li>One of several may have a successor: it decides nothing until a majority says whether it
 *       leads.
 *   <li>If it leads, its log has everything that was ever decided: it goes on if that explains the
 *       map, and stops if not. If it does not lead, it becomes a follower.
 * </ol>
 *
 * <p>Called by the manager's loop only.
 */
final class UnknownEpochs {
  /** The manager around it. */
  interface Host {
    void pause(String reason);

    /** Whether it leads and is paused. */
    boolean isPaused();

    void resume();

    /** Stops for good. */
    void stop(String shown);
  }

  private final Consensus consensus;
  private final ConfirmedLeadership leadership;
  private final Timers timers;
  private final Host host;

  UnknownEpochs(Consensus consensus, ConfirmedLeadership leadership, Timers timers, Host host) {
    this.consensus = consensus;
    this.leadership = leadership;
    this.timers = timers;
    this.host = host;
  }

  /**
   * A seat has shown a map.
   *
   * @param known whether the log explains it, by the state at the time of the call
   */
  void shown(String sentence, BooleanSupplier known) {
    if (provesLoss()) {
      host.stop(sentence);
      return;
    }
    host.pause("the manager decides nothing now: " + sentence + ", and another manager may lead");
    ask(sentence, known);
  }

  /** Only a manager without others knows that no successor made the map (P35). */
  @Rule("P35")
  private boolean provesLoss() {
    return leadership.isAlone();
  }

  private void ask(String sentence, BooleanSupplier known) {
    consensus.confirm(
        leads -> {
          if (!host.isPaused()) return;
          if (!leads) timers.after(Manager.RETRY_NANOS, () -> ask(sentence, known));
          else if (known.getAsBoolean()) host.resume();
          else host.stop(sentence);
        });
  }
}
