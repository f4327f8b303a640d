// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus;

import io.forebay.base.Bytes;
import io.forebay.wire.Limit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Agreement on a sequence of commands. Committed commands stay committed after any failure, and are
 * applied everywhere in the same order. Owned by one loop; there are no callbacks from within
 * {@link #propose}.
 */
public interface Consensus {
  /** The proposals that have not ended yet; more are {@link Outcome#FULL}. */
  int PROPOSALS_MAX = Math.toIntExact(Limit.DECISIONS.value());

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

    /**
     * It does not lead, or no longer, and why: proposals are rejected until it does. Pending ones
     * are unknown.
     */
    void lost(String reason);

    /** The members have changed, or which of them leads: {@link Consensus#members} tells. */
    default void membersChanged() {}
  }

  /** How a proposal ended. */
  sealed interface Outcome {
    /**
     * It is committed, and has just been applied; the proposer is notified before anything else.
     */
    record Committed(long index) implements Outcome {}

    /** It never will count. */
    record Rejected(String reason) implements Outcome {}

    /** Rejected, since {@link #PROPOSALS_MAX} others have not ended yet, or many bytes of them. */
    Rejected FULL = new Rejected("too many proposals are under way");

    /**
     * It counts or not; if it does, it will be applied. The node has stopped leading. Before it
     * leads again, the proposal has been applied, or never will be.
     */
    record Unknown(String reason) implements Outcome {}
  }

  /** Told once how a proposal ended. */
  interface Proposer {
    void decided(Outcome outcome);
  }

  /** Told once whether the node leads. */
  interface Confirmation {
    /**
     * The answer.
     *
     * @param leads true only if no other node was told that it leads before the question was asked.
     *     Then this node has also applied everything that was committed before the question
     */
    void answered(boolean leads);
  }

  /**
   * A node of the group.
   *
   * @param name what operators call it
   * @param incarnation drawn for its directory; empty for a node that is alone
   * @param address where clients and seats reach the manager on it; empty if unknown
   * @param leads whether it leads, as far as the asked node knows
   * @param behind how many entries it lacks that the leader has; -1 if the asked node does not know
   * @param silentNanos how long ago it answered the leader; -1 if the asked node does not know
   */
  record Member(
      String name,
      String incarnation,
      String address,
      boolean leads,
      long behind,
      long silentNanos) {}

  /** Applies earlier committed commands, then lets the machine's owner lead when it can. */
  void start(Machine machine, Leadership leadership);

  void propose(Bytes command, Proposer proposer);

  /**
   * Asks a majority whether this node still leads. A leader that was cut off from the others does
   * not know by itself that another node leads in its place. The answer comes later, within bounded
   * time.
   */
  void confirm(Confirmation confirmation);

  /**
   * The nodes of the group, this one among them; one entry where a node is alone and no other could
   * lead, and none while the node waits to be added to a group.
   */
  List<Member> members();

  /** This node as one of a group whose members can change; null for one that stays alone. */
  default @Nullable ConsensusGroup group() {
    return null;
  }
}
