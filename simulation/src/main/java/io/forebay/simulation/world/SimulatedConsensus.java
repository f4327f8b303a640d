// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.base.Bytes;
import io.forebay.base.Timers;
import io.forebay.seat.consensus.Consensus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A process's part in a {@link SimulatedGroup}. Its timers are those of the process: what is on its
 * way to a process that dies never arrives, and what is on its way to a paused one waits.
 */
final class SimulatedConsensus implements Consensus {
  static final int COMMAND_BYTES_MAX = 1 << 20;

  private final SimulatedGroup group;
  private final GroupNode node;
  private final List<? extends GroupNode> all;
  private final Timers timers;
  private final Map<SimulatedGroup.Proposal, Proposer> pending = new LinkedHashMap<>();
  private @Nullable Machine machine;
  private @Nullable Leadership leadership;
  private long applied;

  /** The term in which it believes to lead, or 0. */
  private long leadingTerm;

  private long proposals;

  /** Whether it led, and does not know yet that it does no longer. */
  private boolean deposed;

  SimulatedConsensus(
      SimulatedGroup group, GroupNode node, List<? extends GroupNode> all, Timers timers) {
    this.group = group;
    this.node = node;
    this.all = all;
    this.timers = timers;
  }

  GroupNode node() {
    return node;
  }

  @Override
  public void start(Machine machine, Leadership leadership) {
    this.machine = machine;
    this.leadership = leadership;
    SimulatedGroup.Snapshot snapshot = group.snapshot();
    if (snapshot != null) {
      machine.restore(snapshot.state());
      applied = snapshot.entries();
    }
    group.began(node);
    learnWithin(group.delayNanos());
  }

  @Override
  public void propose(Bytes command, Proposer proposer) {
    String reason = objection(command);
    if (reason != null) {
      timers.after(0, () -> proposer.decided(new Outcome.Rejected(reason)));
      return;
    }
    SimulatedGroup.Proposal proposal =
        new SimulatedGroup.Proposal(this, leadingTerm, proposals++, command);
    pending.put(proposal, proposer);
    group.propose(proposal);
  }

  /** Why a command cannot be proposed, or null. */
  private @Nullable String objection(Bytes command) {
    if (leadingTerm == 0) return "another manager leads";
    if (command.length() > COMMAND_BYTES_MAX) return "the command is too long";
    return pending.size() >= PROPOSALS_MAX ? Outcome.FULL.reason() : null;
  }

  @Override
  public void confirm(Confirmation confirmation) {
    long term = leadingTerm;
    group.later(
        group.delayNanos(),
        () -> {
          boolean leads = term != 0 && group.leads(node, term);
          timers.after(
              group.delayNanos(),
              () -> {
                catchUp();
                confirmation.answered(leads);
              });
        });
  }

  @Override
  public List<Member> members() {
    List<Member> members = new ArrayList<>();
    for (GroupNode each : all) {
      boolean leads = each.equals(node) ? leadingTerm != 0 : each.equals(group.leader());
      members.add(new Member(each.host(), "", each.address().toString(), leads, -1, -1));
    }
    return members;
  }

  /** Entries reach this node within this time; a leader that was deposed takes none. */
  void catchUpWithin(long nanos) {
    timers.after(nanos, this::catchUp);
  }

  private void catchUp() {
    if (deposed) return;
    while (applied < group.entries()) applyNext();
  }

  private void applyNext() {
    SimulatedGroup.Proposal next = group.entry(applied);
    Machine state = Objects.requireNonNull(machine);
    state.apply(applied, next.command());
    applied++;
    Proposer proposer = pending.remove(next);
    if (proposer != null) proposer.decided(new Outcome.Committed(applied - 1));
    group.applied(applied, state);
  }

  /** Another node leads, or this one in another term. It applies nothing until it knows. */
  void deposedWithin(long nanos) {
    deposed = true;
    timers.after(nanos, this::stepDown);
  }

  private void stepDown() {
    if (!deposed) return;
    deposed = false;
    boolean led = leadingTerm != 0;
    leadingTerm = 0;
    Leadership told = Objects.requireNonNull(leadership);
    if (led) told.lost("another manager leads");
    List<Proposer> unknown = List.copyOf(pending.values());
    pending.clear();
    for (Proposer each : unknown) each.decided(new Outcome.Unknown("another manager leads"));
    learn();
  }

  /** It learns which node leads. */
  void learnWithin(long nanos) {
    timers.after(nanos, this::learn);
  }

  private void learn() {
    GroupNode leader = group.leader();
    if (deposed || leadingTerm != 0 || leader == null) return;
    catchUp();
    if (leader.equals(node)) {
      leadingTerm = group.term();
      group.leads(node);
      Objects.requireNonNull(leadership).leading();
    } else {
      Objects.requireNonNull(leadership).membersChanged();
    }
  }
}
