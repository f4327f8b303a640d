// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus.contract;

import static io.forebay.seat.consensus.contract.BrokenPromise.require;

import io.forebay.base.Bytes;
import io.forebay.seat.consensus.Consensus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** One run of a world: the owners of its nodes, what was proposed, and how it ended. */
final class ContractRun {
  /** Where the thread is. */
  private enum Place {
    OUTSIDE,
    STARTING,
    CALLING,
    LOOP
  }

  final ConsensusWorld world;
  final List<ContractNode> nodes = new ArrayList<>();
  final List<String> committed = new ArrayList<>();
  final List<String> rejected = new ArrayList<>();
  final List<String> unknown = new ArrayList<>();

  /** In the order in which they were told. */
  final List<Integer> leaders = new ArrayList<>();

  private Place place = Place.OUTSIDE;
  private int proposed;

  ContractRun(ConsensusWorld world) {
    this.world = world;
    for (int i = 0; i < world.nodes(); i++) nodes.add(new ContractNode(this, i));
    for (int i = 0; i < world.nodes(); i++) start(i);
  }

  private void start(int node) {
    ContractNode owner = new ContractNode(this, node);
    nodes.set(node, owner);
    place = Place.STARTING;
    world.consensus(node).start(owner, owner);
    place = Place.OUTSIDE;
  }

  void requireOnLoop(String call) {
    require(place != Place.CALLING, call + " came from within a call");
    require(place != Place.OUTSIDE, call + " did not come from the loop");
  }

  void led(int node) {
    require(place != Place.STARTING, "a node led from within its start");
    leaders.add(node);
  }

  /** Whether one node leads since it was the first: a busy machine may depose leaders by itself. */
  boolean isUndisturbed() {
    return !world.hasMoved() && leaders.size() == 1 && nodes.get(leaders.getFirst()).leading;
  }

  void restart(int node) throws IOException {
    world.restart(node);
    start(node);
  }

  boolean cutPower() throws IOException {
    if (!world.cutPower()) return false;
    for (int i = 0; i < world.nodes(); i++) start(i);
    return true;
  }

  /** Runs the loops until something holds. */
  void await(String what, BooleanSupplier holds) {
    for (long steps = 0; !holds.getAsBoolean(); steps++) {
      require(step(steps), what + " did not happen");
    }
  }

  void steps(int count) {
    for (int i = 0; i < count; i++) step(0);
  }

  private boolean step(long steps) {
    place = Place.LOOP;
    try {
      return world.step(steps);
    } finally {
      place = Place.OUTSIDE;
    }
  }

  /** A node that leads. */
  int awaitLeader() {
    await("a leader", () -> nodes.stream().anyMatch(node -> node.leading));
    for (int i = 0; i < nodes.size(); i++) if (nodes.get(i).leading) return i;
    throw new IllegalStateException("it led a moment ago");
  }

  /** Proposes a command that no one else proposes; returns it. */
  String propose(int node) {
    String command = "c" + proposed++;
    propose(node, command, ContractNode.bytes(command));
    return command;
  }

  void propose(int node, String command, Bytes bytes) {
    ContractNode owner = nodes.get(node);
    owner.undecided++;
    boolean[] told = new boolean[1];
    call(
        () ->
            world
                .consensus(node)
                .propose(
                    bytes,
                    outcome -> {
                      requireOnLoop("an outcome");
                      require(!told[0], command + " was decided twice");
                      told[0] = true;
                      owner.undecided--;
                      decided(owner, command, outcome);
                    }));
  }

  private void decided(ContractNode owner, String command, Consensus.Outcome outcome) {
    switch (outcome) {
      case Consensus.Outcome.Committed done -> {
        require(
            !owner.applied.isEmpty() && owner.applied.getLast().equals(command),
            command + " at " + done.index() + " was not applied just before");
        committed.add(command);
      }
      case Consensus.Outcome.Rejected no -> rejected.add(command);
      case Consensus.Outcome.Unknown maybe -> {
        require(!owner.leading, command + " is unknown at a node that leads");
        unknown.add(command);
      }
    }
  }

  void awaitDecided() {
    await("the outcome of a proposal", () -> nodes.stream().allMatch(n -> n.undecided == 0));
  }

  /** The answer to the question whether a node leads. */
  boolean confirm(int node) {
    List<Boolean> answers = new ArrayList<>();
    call(
        () ->
            world
                .consensus(node)
                .confirm(
                    leads -> {
                      requireOnLoop("a confirmation");
                      answers.add(leads);
                    }));
    await("a confirmation", () -> !answers.isEmpty());
    require(answers.size() == 1, "a question was answered twice");
    return answers.getFirst();
  }

  private void call(Runnable call) {
    place = Place.CALLING;
    try {
      call.run();
    } finally {
      place = Place.OUTSIDE;
    }
  }

  /** All nodes come to have the same commands, as they must. */
  void requireAgreement() {
    await(
        "agreement of all nodes",
        () -> nodes.stream().allMatch(node -> node.applied.equals(nodes.getFirst().applied)));
    List<String> all = nodes.getFirst().applied;
    Set<String> once = new HashSet<>(all);
    require(once.size() == all.size(), "a command was applied twice: " + all);
    require(once.containsAll(committed), "committed commands are lost");
    for (String never : rejected) {
      require(!once.contains(never), "the rejected command " + never + " was applied");
    }
    List<String> inOrder = new ArrayList<>(all);
    inOrder.retainAll(new HashSet<>(committed));
    require(inOrder.equals(committed), "commands were applied in another order than told");
  }
}
