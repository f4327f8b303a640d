// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.ring.Group;
import org.jspecify.annotations.Nullable;

/** This seat as the home of a group, in one epoch, as the parts of the home see it. */
public interface HomeView {
  /** Hears how a change went, or null when the epoch ended before it was known. */
  interface Change {
    void applied(GroupState.@Nullable Applied applied);

    /** The epoch ended before the change came into the journal: it is never applied. */
    default void dropped() {
      applied(null);
    }
  }

  Group group();

  /** Whether all members agree on the journal, so that writes and changes are taken. */
  boolean serving();

  /** Whether names may be read: all leases hold. */
  boolean leased();

  /** How long the leases are still valid. */
  long leaseNanos();

  /** Whether the epoch is over. */
  boolean stopped();

  /** What it does, for the status. */
  String stage();

  /** The state from the journal; only once the home has started. */
  GroupState state();

  /** Whether another change can be taken now. */
  boolean takesMore();

  /** How many changes it has taken to be journalled; they are applied in that order. */
  long changesTaken();

  /** How many of them have been applied. */
  long changesApplied();

  /** Journals a change; false if it is too long. */
  boolean propose(GroupCommand command, boolean forced, Change change);
}
