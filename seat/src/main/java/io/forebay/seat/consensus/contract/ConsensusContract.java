// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus.contract;

import static io.forebay.seat.consensus.contract.BrokenPromise.require;

import io.forebay.base.Bytes;
import io.forebay.seat.consensus.Consensus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The cases. Each gets a world of its own. One thread. */
public final class ConsensusContract {
  private static final int COMMANDS = 20;

  /** Steps after which proposals are under way, but not all decided. */
  private static final int FEW_STEPS = 3;

  private static final int QUESTIONS = 8;

  /** Makes worlds. */
  public interface Worlds {
    ConsensusWorld make() throws IOException;
  }

  /** One promise; it throws {@link BrokenPromise} if the implementation does not keep it. */
  public record Case(String name, Check check) {}

  /** Runs a case. */
  public interface Check {
    void run() throws IOException;
  }

  /** A case before it has a world. */
  private interface Body {
    void run(ContractRun run) throws IOException;
  }

  private final Worlds worlds;
  private final List<Case> cases = new ArrayList<>();

  /**
   * Gathers the cases.
   *
   * @param groups whether the worlds have several nodes
   */
  public ConsensusContract(Worlds worlds, boolean groups) {
    this.worlds = worlds;
    add("what is committed is applied, in order", ConsensusContract::commits);
    add("what is not proposed to a leader, or too long, is rejected", ConsensusContract::rejects);
    add("a restarted node has what was committed", ConsensusContract::restarts);
    add("a power cut keeps what was committed", ConsensusContract::powerCut);
    add("snapshots stand for what they replace", ConsensusContract::snapshots);
    add("a leader can confirm that it leads", ConsensusContract::confirms);
    if (groups) {
      add("a leader deposed amid proposals", ConsensusContract::deposed);
      add("a former leader does not confirm", ConsensusContract::formerLeader);
      add("leaders killed one after another", ConsensusContract::killed);
      add("followers are told which node leads", ConsensusContract::follows);
    }
  }

  public List<Case> cases() {
    return List.copyOf(cases);
  }

  private void add(String name, Body body) {
    cases.add(
        new Case(
            name,
            () -> {
              try (ConsensusWorld world = worlds.make()) {
                body.run(new ContractRun(world));
              }
            }));
  }

  private static void commits(ContractRun run) {
    int leader = run.awaitLeader();
    for (int i = 0; i < COMMANDS; i++) run.propose(leader);
    require(run.committed.isEmpty(), "an outcome came from within a call");
    run.awaitDecided();
    requireUnlessDisturbed(run, run.committed.size() == COMMANDS, "a leader commits");
    run.requireAgreement();
  }

  private static void rejects(ContractRun run) {
    String early = run.propose(0);
    run.awaitDecided();
    require(run.rejected.equals(List.of(early)), "a node that does not lead rejects");
    int leader = run.awaitLeader();
    run.propose(leader, "long", Bytes.copyOf(new byte[run.world.tooLongBytes()]));
    run.propose(leader);
    run.awaitDecided();
    require(run.rejected.contains("long"), "a command that is too long is rejected");
    for (int i = 0; i < run.world.nodes(); i++) if (i != leader) run.propose(i);
    run.awaitDecided();
    boolean all = run.rejected.size() == 1 + run.world.nodes();
    requireUnlessDisturbed(run, all, "followers reject");
    run.requireAgreement();
  }

  private static void restarts(ContractRun run) throws IOException {
    for (int life = 0; life < 3; life++) {
      int leader = run.awaitLeader();
      for (int i = 0; i < COMMANDS; i++) run.propose(leader);
      if (life == 1) run.steps(FEW_STEPS);
      else run.awaitDecided();
      run.restart(leader);
    }
    run.awaitLeader();
    run.requireAgreement();
  }

  private static void powerCut(ContractRun run) throws IOException {
    for (int life = 0; life < 3; life++) {
      int leader = run.awaitLeader();
      for (int i = 0; i < COMMANDS; i++) run.propose(leader);
      if (life == 1) run.steps(FEW_STEPS);
      else run.awaitDecided();
      if (!run.cutPower()) return;
    }
    int leader = run.awaitLeader();
    run.propose(leader);
    run.awaitDecided();
    run.requireAgreement();
  }

  private static void snapshots(ContractRun run) throws IOException {
    int leader = run.awaitLeader();
    int count = 2 * run.world.snapshotCommands();
    for (int i = 0; i < count; i++) {
      run.propose(leader);
      if (i % COMMANDS > 0) continue;
      run.awaitDecided();
      leader = run.awaitLeader();
    }
    run.awaitDecided();
    requireUnlessDisturbed(run, run.committed.size() == count, "a leader commits");
    for (int i = 0; i < run.world.nodes(); i++) run.restart(i);
    leader = run.awaitLeader();
    require(run.nodes.get(leader).restores > 0, "no snapshot was restored");
    run.propose(leader);
    run.awaitDecided();
    run.requireAgreement();
  }

  private static void confirms(ContractRun run) {
    int leader = run.awaitLeader();
    requireUnlessDisturbed(run, run.confirm(leader), "a leader confirms");
    run.propose(leader);
    run.awaitDecided();
    requireUnlessDisturbed(run, run.confirm(leader), "a leader confirms again");
    requireUnlessDisturbed(run, run.confirm(leader), "without anything new in the log, too");
    List<Consensus.Member> members = run.world.consensus(leader).members();
    require(members.size() == run.world.nodes(), "members: " + members);
    boolean one = members.stream().filter(Consensus.Member::leads).count() == 1;
    requireUnlessDisturbed(run, one, "one of the members leads: " + members);
    for (int i = 0; i < run.world.nodes(); i++) {
      require(!run.confirm(i) || run.leaders.contains(i), "a follower has confirmed that it leads");
    }
  }

  private static void requireUnlessDisturbed(ContractRun run, boolean kept, String promise) {
    require(kept || !run.isUndisturbed(), "broken: " + promise);
  }

  private static void deposed(ContractRun run) {
    int leader = run.awaitLeader();
    for (int i = 0; i < COMMANDS; i++) run.propose(leader);
    run.steps(FEW_STEPS);
    run.world.isolate(leader);
    for (int i = 0; i < COMMANDS; i++) run.propose(leader);
    run.await("another leader", () -> leadsAnother(run, leader));
    int next = another(run, leader);
    for (int i = 0; i < COMMANDS; i++) run.propose(next);
    run.awaitDecided();
    run.await("the end of the former leader", () -> !run.nodes.get(leader).leading);
    run.world.heal();
    run.requireAgreement();
  }

  private static void formerLeader(ContractRun run) {
    int leader = run.awaitLeader();
    run.propose(leader);
    run.awaitDecided();
    // So that it could remember an answer, while nothing new is committed.
    for (int i = 0; i < QUESTIONS; i++) {
      requireUnlessDisturbed(run, run.confirm(leader), "a leader confirms");
      run.steps(FEW_STEPS);
    }
    run.world.isolate(leader);
    run.steps(FEW_STEPS);
    require(!run.confirm(leader), "a node that was cut off has confirmed that it leads");
    run.await("another leader", () -> leadsAnother(run, leader));
    require(!run.confirm(leader), "a former leader has confirmed that it leads");
    run.world.heal();
    run.requireAgreement();
  }

  private static void killed(ContractRun run) throws IOException {
    for (int round = 0; round < 3; round++) {
      int leader = run.awaitLeader();
      for (int i = 0; i < COMMANDS; i++) {
        run.propose(leader);
        run.steps(1);
      }
      run.restart(leader);
    }
    int leader = run.awaitLeader();
    run.propose(leader);
    run.awaitDecided();
    run.requireAgreement();
  }

  private static void follows(ContractRun run) throws IOException {
    int leader = run.awaitLeader();
    run.propose(leader);
    run.awaitDecided();
    run.await("word of the leader", () -> followersKnowLeader(run));
    run.restart(run.awaitLeader());
    run.await("word of the next leader", () -> followersKnowLeader(run));
    run.requireAgreement();
  }

  /** Whether one node leads, and each other one was told last that it does. */
  private static boolean followersKnowLeader(ContractRun run) {
    List<ContractNode> leaders = run.nodes.stream().filter(node -> node.leading).toList();
    if (leaders.size() != 1) return false;
    int leader = run.nodes.indexOf(leaders.getFirst());
    for (Consensus.Member member : run.world.consensus(leader).members()) {
      if (!member.leads()) continue;
      for (ContractNode node : run.nodes) {
        if (!node.leading && !node.follows.equals(member.name())) return false;
      }
      return true;
    }
    return false;
  }

  private static boolean leadsAnother(ContractRun run, int former) {
    return another(run, former) >= 0;
  }

  private static int another(ContractRun run, int former) {
    for (int i = 0; i < run.nodes.size(); i++) {
      if (i != former && run.nodes.get(i).leading) return i;
    }
    return -1;
  }
}
