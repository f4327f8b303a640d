// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

import io.forebay.base.MonotonicClock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The managers that a peer of them could not reach a moment ago. A manager that does not lead names
 * the last leader until another one is elected. A peer that has found that leader gone stays with
 * the manager that named it, and is told of the next one at once. Called by its owner's loop only.
 */
public final class UnreachedManagers {
  /** How long a failed dial counts: an election takes less, unless votes are split again. */
  static final long COUNTS_NANOS = 3_000_000_000L;

  private final MonotonicClock clock;
  private final Map<Address, Long> failedNanos = new LinkedHashMap<>();

  public UnreachedManagers(MonotonicClock clock) {
    this.clock = clock;
  }

  /** A dial has failed. */
  public void failed(Address manager) {
    long now = clock.nanos();
    failedNanos.values().removeIf(since -> now - since >= COUNTS_NANOS);
    if (failedNanos.size() < ManagerAddresses.ADDRESSES_MAX) failedNanos.put(manager, now);
  }

  /** A dial has succeeded. */
  public void reached(Address manager) {
    failedNanos.remove(manager);
  }

  /** Whether its last dial failed a moment ago. */
  public boolean has(Address manager) {
    Long since = failedNanos.get(manager);
    return since != null && clock.nanos() - since < COUNTS_NANOS;
  }

  /** The first one of a list, from an index on, that may be reached; that index if none may. */
  public int next(List<Address> all, int from) {
    for (int i = 0; i < all.size(); i++) {
      int index = (from + i) % all.size();
      if (!has(all.get(index))) return index;
    }
    return from % all.size();
  }
}
