// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus.contract;

import io.forebay.seat.consensus.Consensus;
import java.io.IOException;

/**
 * Nodes of one implementation, and what happens to them. Nodes are numbered from 0; all are members
 * of one group and none is started yet. One thread.
 */
public interface ConsensusWorld extends AutoCloseable {
  int nodes();

  /** The consensus of a node's present process. */
  Consensus consensus(int node);

  /**
   * Lets a little time pass: runs the loops of all nodes once. Callbacks come from within.
   *
   * @return false when so much time has passed that what is awaited should have happened
   */
  boolean step(long steps);

  /** The node's process ends without goodbye, and another one opens its directory. */
  void restart(int node) throws IOException;

  /** As {@link #restart} of all nodes at once, with what devices lose when power goes. */
  default boolean cutPower() throws IOException {
    return false;
  }

  /** No message gets to the node, or from it, until {@link #heal}. */
  default void isolate(int node) {
    throw new UnsupportedOperationException("a group of one");
  }

  default void heal() {}

  /** Whether leadership has moved although no node was told so yet. */
  default boolean hasMoved() {
    return false;
  }

  /** The size of a command that is too long. */
  int tooLongBytes();

  /** How many commands cause a snapshot. */
  int snapshotCommands();

  @Override
  void close() throws IOException;
}
