// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus;

import io.forebay.base.Bytes;

/**
 * Agreement on a sequence of commands. Committed commands stay committed after any failure, and are
 * applied everywhere in the same order. Owned by one loop; there are no callbacks from within
 * {@link #propose}.
 */
public interface Consensus {
  /** The state that commands are applied to. The same commands always give the same state. */
  interface Machine {
    /** A committed command; indexes grow, and some are left out. */
    void apply(long index, Bytes command);

    /** The whole state. */
    Bytes snapshot();

    /** Takes a state in place of its own. */
    void restore(Bytes snapshot);
  }

  /** Notified when it may propose, and when no longer. */
  interface Leadership {
    /** Everything committed before has been applied. */
    void leading();

    /** It does not lead, or no longer, and why: proposals are rejected until it does. */
    void lost(String reason);
  }

  /** How a proposal ended. */
  sealed interface Outcome {
    /**
     * It is committed, and has just been applied; the proposer is notified before anything else.
     */
    record Committed(long index) implements Outcome {}

    /** It never will count. */
    record Rejected(String reason) implements Outcome {}

    /** It counts or not; if it does, it will be applied. */
    record Unknown(String reason) implements Outcome {}
  }

  /** Told once how a proposal ended. */
  interface Proposer {
    void decided(Outcome outcome);
  }

  /** Applies earlier committed commands, then lets the machine's owner lead when it can. */
  void start(Machine machine, Leadership leadership);

  void propose(Bytes command, Proposer proposer);
}
