// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import io.forebay.base.Timers;
import io.forebay.seat.manager.desk.DeskParts;
import io.forebay.seat.manager.desk.Gathering;
import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.seat.manager.state.Command;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Forms the first ring: when all expected servers have come with all their seats, or when the
 * patience for the last ones has ended. Called by the manager's loop only.
 */
final class RingFormation {
  /** The manager around it. */
  interface Host {
    /** Whether it still gathers the seats of the first ring. */
    boolean isGathering();

    /** Whether a ring is being formed. */
    boolean isForming();

    void forming();

    void formed();

    /** The ring was not formed: it goes on gathering. */
    void gatherAgain();
  }

  private final ManagerConfig config;
  private final DeskParts parts;
  private final Gathering gathering;
  private final Host host;
  private Timers.@Nullable Timer patience;

  RingFormation(ManagerConfig config, DeskParts parts, Gathering gathering, Host host) {
    this.config = config;
    this.parts = parts;
    this.gathering = gathering;
    this.host = host;
  }

  void formIfComplete() {
    if (gathering.complete()) {
      form();
    } else if (patience == null && !gathering.isEmpty()) {
      patience = parts.timers().after(config.waitNanos(), this::patienceEnds);
    }
  }

  private void patienceEnds() {
    patience = null;
    if (!host.isGathering() || gathering.isEmpty()) return;
    parts
        .events()
        .warned(
            "%d of %d expected servers have come with all their seats; the ring is formed without others, which join by themselves when they come"
                .formatted(gathering.completeServers(), config.expectedServers()));
    form();
  }

  private void form() {
    host.forming();
    if (patience != null) patience.cancel();
    patience = null;
    List<Command.Arrival> ring = gathering.ring();
    int copies = Math.min(config.defaultCopies(), ring.size());
    if (copies < config.defaultCopies()) {
      parts
          .events()
          .warned(
              "%d copies are the default, but the ring has %d seats"
                  .formatted(config.defaultCopies(), ring.size()));
    }
    parts
        .decisions()
        .propose(new Command.FormRing(ring, copies), result -> host.formed(), this::failed);
  }

  private void failed(String why) {
    parts.events().warned("forming the ring: " + why);
    // If leadership was lost, the next term starts it again.
    if (!host.isForming()) return;
    host.gatherAgain();
    long pauseNanos = Math.max(Manager.RETRY_NANOS, config.waitNanos());
    patience = parts.timers().after(pauseNanos, this::patienceEnds);
  }
}
