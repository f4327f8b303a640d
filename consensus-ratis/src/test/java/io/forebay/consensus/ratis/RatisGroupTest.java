// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.seat.consensus.Consensus;
import io.forebay.seat.consensus.Peer;
import io.forebay.server.consensus.GroupConfig;
import io.forebay.wire.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups that grow and change, with real sockets and directories. */
class RatisGroupTest {
  @TempDir Path directory;
  private TestGroup group;
  private final List<Owner> owners = new ArrayList<>();

  @AfterEach
  void close() {
    if (group != null) group.close();
  }

  private void begin(int node) throws IOException {
    while (owners.size() <= node) owners.add(new Owner());
    owners.set(node, new Owner());
    group.open(node);
    group.consensus(node).start(owners.get(node), owners.get(node));
  }

  private Owner owner(int node) {
    return owners.get(node);
  }

  private int leader() {
    group.await("a leader", () -> owners.stream().anyMatch(each -> each.leading));
    for (int i = 0; i < owners.size(); i++) if (owner(i).leading) return i;
    throw new IllegalStateException("it led a moment ago");
  }

  /** Tries until the leader of the moment has done it. */
  private void changeMembers(Peer... peers) {
    for (int tries = 0; tries < 10; tries++) {
      Owner leader = owner(leader());
      int before = leader.changes.size();
      group.consensus(owners.indexOf(leader)).changeMembers(List.of(peers), leader);
      group.await("an answer", () -> leader.changes.size() > before);
      if (leader.changes.getLast().equals("changed")) return;
    }
    throw new AssertionError("the members do not change: " + owners.getFirst().changes);
  }

  /** Tries until it is committed; the command may be there more than once. */
  private void commit(String command) {
    for (int tries = 0; tries < 10; tries++) {
      int number = leader();
      Owner leader = owner(number);
      int before = leader.outcomes.size();
      group.consensus(number).propose(Owner.bytes(command), leader.outcomes::add);
      group.await("an outcome", () -> leader.outcomes.size() > before);
      if (leader.outcomes.getLast() instanceof Consensus.Outcome.Committed) return;
    }
    throw new AssertionError("nothing is committed");
  }

  private void awaitApplied(int node, String... commands) {
    group.await(
        "node " + node + " has applied all",
        () -> owner(node).applied.stream().distinct().toList().equals(List.of(commands)));
  }

  @Test
  void fromOneToThreeWithAllThatTheOneHad() throws Exception {
    group = new TestGroup(directory, 3);
    String much = "x".repeat(2 * InitialState.PART_BYTES);
    group.found(0, Owner.bytes("a b " + much));
    assertThatThrownBy(() -> group.found(0, null)).hasMessageContaining("already");
    // Processes that end before the first one leads.
    for (int polls = 0; polls < 3; polls++) {
      begin(0);
      for (int i = 0; i < polls; i++) group.step(0);
      group.kill(0);
    }
    begin(0);
    assertThat(leader()).isZero();
    assertThat(owner(0).applied).containsExactly("a", "b", much);
    commit("c");
    group.kill(0);
    begin(0);
    leader();
    awaitApplied(0, "a", "b", much, "c");
    begin(1);
    begin(2);
    for (int i = 0; i < 20; i++) group.step(0);
    assertThat(group.consensus(1).peers()).as("it waits").isEmpty();
    changeMembers(group.peer(0), group.peer(1), group.peer(2));
    commit("d");
    for (int i = 0; i < 3; i++) awaitApplied(i, "a", "b", much, "c", "d");
    List<Consensus.Member> members = group.consensus(leader()).members();
    assertThat(members)
        .extracting(Consensus.Member::name)
        .containsExactlyInAnyOrder("m0", "m1", "m2");
    assertThat(members).extracting(Consensus.Member::address).contains("manager-1:7070");
    group.await(
        "no lag",
        () -> group.consensus(leader()).members().stream().allMatch(each -> each.behind() == 0));
  }

  @Test
  void aWipedNodeIsReplacedAndAFollowerCatchesUpBySnapshot() throws Exception {
    group = new TestGroup(directory, 3);
    group.found(0, null);
    for (int i = 0; i < 3; i++) begin(i);
    changeMembers(group.peer(0), group.peer(1), group.peer(2));
    commit("a");
    int gone = leader() == 2 ? 1 : 2;
    String former = group.peer(gone).id();
    group.kill(gone);
    owner(gone).leading = false;
    for (int i = 0; i < TestGroup.SNAPSHOT_ENTRIES; i++) commit("b");
    group.await("a snapshot", () -> group.snapshots(leader()) > 0);
    // The others have purged the entries that it lacks.
    begin(gone);
    awaitApplied(gone, "a", "b");
    assertThat(owner(gone).restores).as("of the leader's snapshot").isPositive();
    group.kill(gone);
    owner(gone).leading = false;
    TestGroup.delete(group.nodes.get(gone).config.directory());
    begin(gone);
    assertThat(group.peer(gone).id()).isNotEqualTo(former);
    List<Peer> peers = new ArrayList<>();
    for (int i = 0; i < 3; i++) peers.add(group.peer(i));
    changeMembers(peers.toArray(Peer[]::new));
    commit("c");
    awaitApplied(gone, "a", "b", "c");
    assertThat(owner(gone).restores).as("it was empty, and snapshots were there").isPositive();
    assertThat(group.consensus(leader()).peers()).extracting(Peer::id).doesNotContain(former);
  }

  @Test
  void removedNodesStopAndTheOthersGoOn() throws Exception {
    group = new TestGroup(directory, 3);
    group.found(0, null);
    for (int i = 0; i < 3; i++) begin(i);
    changeMembers(group.peer(0), group.peer(1), group.peer(2));
    commit("a");
    int first = leader();
    int second = (first + 1) % 3;
    int third = (first + 2) % 3;
    changeMembers(group.peer(first), group.peer(third));
    awaitRemoved(second);
    commit("b");
    int gone = leader();
    int rest = gone == first ? third : first;
    changeMembers(group.peer(rest));
    awaitRemoved(gone);
    commit("c");
    awaitApplied(rest, "a", "b", "c");
  }

  private void awaitRemoved(int node) {
    List<String> stops = group.nodes.get(node).stops;
    group.await("the end of node " + node, () -> !stops.isEmpty());
    assertThat(stops).hasSize(1);
    assertThat(stops.getFirst()).contains("'m" + node + "'").contains("removed");
    assertThat(owner(node).leading).isFalse();
  }

  @Test
  void nothingIsLeftWhenItIsClosed() throws Exception {
    group = new TestGroup(directory, 1);
    group.found(0, null);
    begin(0);
    leader();
    String id = group.peer(0).id();
    assertThat(threadsOf(id)).isNotEmpty();
    group.kill(0);
    Address.Inet address = TestGroup.address(0);
    try (ServerSocket free =
        new ServerSocket(address.port(), 1, InetAddress.getByName(address.host()))) {
      assertThat(free.isBound()).isTrue();
    }
    for (Thread thread : threadsOf(id)) thread.join();
  }

  private static List<Thread> threadsOf(String id) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().contains(id))
        .toList();
  }

  @Test
  void whatCannotBeOpenedIsSaidInOneSentence() throws Exception {
    group = new TestGroup(directory, 1);
    GroupConfig config = group.nodes.getFirst().config;
    group.found(0, null);
    GroupConfig renamed =
        new GroupConfig(config.cluster(), config.directory(), "other", config.addresses(), null);
    assertThatThrownBy(() -> GroupDirectory.open(renamed))
        .hasMessageContaining("is of manager 'm0', not 'other'");
    GroupConfig moved =
        new GroupConfig(
            config.cluster(),
            config.directory(),
            "m0",
            new GroupConfig.Addresses(config.addresses().peer(), "elsewhere:1"),
            null);
    assertThatThrownBy(() -> GroupDirectory.open(moved))
        .hasMessageContaining("know manager 'm0' at " + config.addresses().client());
    Address.Inet address = TestGroup.address(0);
    try (ServerSocket taken =
        new ServerSocket(address.port(), 1, InetAddress.getByName(address.host()))) {
      assertThat(taken.isBound()).isTrue();
      begin(0);
      group.await("its end", () -> !group.nodes.getFirst().stops.isEmpty());
      assertThat(group.nodes.getFirst().stops.getFirst()).contains("cannot start at " + address);
    }
  }
}
