// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.base.Bytes;
import io.forebay.base.Timers;
import io.forebay.seat.consensus.Consensus;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The agreement of several simulated managers, at its worst: one log of committed commands that no
 * fault damages, and a leadership that moves at bad moments. A leader is deposed when most others
 * cannot reach it, and now and then without a reason, such as just after a commit. It learns of
 * that seconds later, and meanwhile believes that it leads. Whether its last proposals are
 * committed is drawn. Commands reach the other managers late.
 *
 * <p>What it promises is what Raft does: one order, nothing committed is lost, a new leader has
 * applied everything before it leads, and nothing of a former leader is committed after that.
 */
final class SimulatedGroup {
  private static final long MILLISECOND = 1_000_000L;
  private static final long DELAY_NANOS_MAX = 20 * MILLISECOND;

  /** How long a commit takes that waits for a slow disk. */
  private static final long SLOW_NANOS_MAX = 800 * MILLISECOND;

  private static final int SLOW_ONE_IN = 12;

  /** How long a deposed leader believes that it leads. */
  private static final long UNAWARE_NANOS_MAX = 3_000 * MILLISECOND;

  private static final long TICK_NANOS = 100 * MILLISECOND;
  private static final long ELECTION_NANOS_MIN = 500 * MILLISECOND;
  private static final long ELECTION_NANOS_MAX = 2_000 * MILLISECOND;

  /** Leadership moves without a reason once in this many ticks, and commits. */
  private static final int MOVES_ONE_IN = 80;

  private static final int MOVES_AFTER_COMMIT_ONE_IN = 30;
  private static final int SNAPSHOT_EVERY = 16;

  /**
   * A command on its way to a majority.
   *
   * @param number of its own, since a node may propose equal commands
   */
  record Proposal(SimulatedConsensus by, long term, long number, Bytes command) {}

  /** A state of the machine after a number of entries. */
  record Snapshot(long entries, Bytes state) {}

  private final Timers timers;
  private final SplittableRandom random;
  private final BiPredicate<String, String> parted;
  private final List<GroupNode> nodes = new ArrayList<>();
  private final List<Proposal> log = new ArrayList<>();
  private final List<Proposal> underWay = new ArrayList<>();
  private @Nullable Snapshot snapshot;
  private @Nullable GroupNode leader;
  private @Nullable GroupNode lastLeader;
  private long ledSinceNanos;
  private long term;
  private long leaderlessNanos = -1;
  private long electionNanos;
  private boolean calm;

  /**
   * A group without nodes.
   *
   * @param parted whether messages from one host to another are lost
   */
  SimulatedGroup(Timers timers, SplittableRandom random, BiPredicate<String, String> parted) {
    this.timers = timers;
    this.random = random;
    this.parted = parted;
  }

  void add(GroupNode node) {
    nodes.add(node);
  }

  void start() {
    timers.after(TICK_NANOS, this::tick);
  }

  /** From now on leadership moves only if it must. */
  void calmDown() {
    calm = true;
  }

  /** The manager that leads, whether it knows that or not; null while none does. */
  @Nullable GroupNode leader() {
    return leader;
  }

  /** A node has been told that it leads. */
  void leads(GroupNode node) {
    lastLeader = node;
    ledSinceNanos = timers.nanos();
  }

  /** The one that was told so last; null if none was. */
  @Nullable GroupNode lastLeader() {
    return lastLeader;
  }

  long ledSinceNanos() {
    return ledSinceNanos;
  }

  long entries() {
    return log.size();
  }

  Proposal entry(long index) {
    return log.get((int) index);
  }

  @Nullable Snapshot snapshot() {
    return snapshot;
  }

  long term() {
    return term;
  }

  /** Whether a node was elected in a term, and no other one since. */
  boolean isElected(GroupNode node, long inTerm) {
    return node.equals(leader) && inTerm == term;
  }

  /** Whether, besides, a majority says so now. */
  boolean leads(GroupNode node, long inTerm) {
    return isElected(node, inTerm) && reachesMajority(node);
  }

  /** A process begins, and knows of nothing that it was elected for. */
  void began(GroupNode node) {
    if (node.equals(leader)) leader = null;
  }

  /** A delay of a message between two nodes. */
  long delayNanos() {
    return 1 + random.nextLong(random.nextInt(SLOW_ONE_IN) == 0 ? SLOW_NANOS_MAX : DELAY_NANOS_MAX);
  }

  /** Runs an action after a delay, whatever becomes of the node that asked for it. */
  void later(long nanos, Runnable action) {
    timers.after(nanos, action);
  }

  void propose(Proposal proposal) {
    underWay.add(proposal);
    later(delayNanos(), () -> arrive(proposal));
  }

  private void arrive(Proposal proposal) {
    if (!underWay.contains(proposal)) return;
    if (!leads(proposal.by().node(), proposal.term())) {
      // It reaches a majority later, or its fate is drawn when another node leads.
      if (proposal.term() == term) later(TICK_NANOS, () -> arrive(proposal));
      else underWay.remove(proposal);
      return;
    }
    underWay.remove(proposal);
    commit(proposal);
    if (!calm && random.nextInt(MOVES_AFTER_COMMIT_ONE_IN) == 0) elect();
  }

  private void commit(Proposal proposal) {
    log.add(proposal);
    for (GroupNode node : nodes) {
      SimulatedConsensus consensus = node.agreement();
      if (consensus != null) consensus.catchUpWithin(delayNanos());
    }
  }

  /** A node has applied entries; its state may serve others as a snapshot. */
  void applied(long entries, Consensus.Machine machine) {
    if (entries % SNAPSHOT_EVERY == 0) snapshot = new Snapshot(entries, machine.snapshot());
  }

  private void tick() {
    timers.after(TICK_NANOS, this::tick);
    GroupNode present = leader;
    if (present != null && present.isRunning() && reachesMajority(present)) {
      leaderlessNanos = -1;
      if (!calm && random.nextInt(MOVES_ONE_IN) == 0) elect();
      return;
    }
    long now = timers.nanos();
    if (leaderlessNanos < 0) {
      leaderlessNanos = now;
      electionNanos = random.nextLong(ELECTION_NANOS_MIN, ELECTION_NANOS_MAX);
    }
    if (now - leaderlessNanos >= electionNanos) elect();
  }

  /** Another node leads from now on, or the same one in another term, if any can. */
  private void elect() {
    List<GroupNode> candidates =
        nodes.stream().filter(node -> node.isRunning() && reachesMajority(node)).toList();
    if (candidates.isEmpty()) return;
    GroupNode former = leader;
    term++;
    leaderlessNanos = -1;
    // What the new leader has of the former leader's proposals, it commits first.
    for (Proposal proposal : List.copyOf(underWay)) {
      underWay.remove(proposal);
      if (random.nextBoolean()) commit(proposal);
    }
    GroupNode chosen = candidates.get(random.nextInt(candidates.size()));
    leader = chosen;
    for (GroupNode node : nodes) {
      SimulatedConsensus consensus = node.agreement();
      if (consensus == null) continue;
      if (node.equals(former)) consensus.deposedWithin(1 + random.nextLong(UNAWARE_NANOS_MAX));
      else consensus.learnWithin(delayNanos());
    }
  }

  /** Whether most nodes run and can exchange messages with a node, itself counted. */
  private boolean reachesMajority(GroupNode node) {
    long reached = nodes.stream().filter(other -> reach(node, other)).count();
    return 2 * reached > nodes.size();
  }

  private boolean reach(GroupNode one, GroupNode other) {
    boolean running = one.isRunning() && other.isRunning();
    if (one.equals(other)) return running;
    return running
        && !parted.test(one.host(), other.host())
        && !parted.test(other.host(), one.host());
  }
}
