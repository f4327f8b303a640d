// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus;

import java.util.List;

/**
 * Agreement of several nodes. Owned by one loop, which calls {@link #poll}; all callbacks come from
 * there or from the loop's timers.
 */
public interface ConsensusGroup extends Consensus, AutoCloseable {
  /** Told once how a change of the members ended. */
  interface MembersChange {
    /** The given peers are the members. */
    void changed();

    /** They are not, or it is unknown whether they are: {@link #peers} tells. */
    void failed(String reason);
  }

  @Override
  default ConsensusGroup group() {
    return this;
  }

  /** This node. */
  Peer self();

  /** The members as this node knows them; empty while it waits to be added to a group. */
  List<Peer> peers();

  /** The number of the newest election that this node knows of. */
  long term();

  /**
   * Makes these peers the members; only a leader can. New peers get all entries before they vote. A
   * leader that is not among them steps down and stops.
   */
  void changeMembers(List<Peer> peers, MembersChange change);

  /** Does what became due on other threads; returns whether there was anything. */
  boolean poll();

  /** Ends all threads and frees the port. Blocks while it does. No callback comes after. */
  @Override
  void close();
}
