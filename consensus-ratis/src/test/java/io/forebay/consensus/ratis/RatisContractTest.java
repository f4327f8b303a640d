// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.seat.consensus.contract.ConsensusContract;
import io.forebay.seat.consensus.contract.ConsensusWorld;
import io.forebay.testing.Ext4Volume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The contract of all implementations, kept by three nodes of this one. */
class RatisContractTest {
  private static final int NODES = 3;
  private static final long VOLUME_BYTES = 256L << 20;

  @TempDir static Path directory;
  private static int worlds;

  /** The directories of a group of three, copied for each case. */
  @BeforeAll
  static void formGroup() throws IOException {
    try (TestGroup group = new TestGroup(directory.resolve("formed"), NODES)) {
      group.found(0, null);
      List<Owner> owners = Stream.generate(Owner::new).limit(NODES).toList();
      for (int i = 0; i < NODES; i++) {
        group.open(i);
        group.consensus(i).start(owners.get(i), owners.get(i));
      }
      group.await("a leader", () -> owners.getFirst().leading);
      group
          .consensus(0)
          .changeMembers(List.of(group.peer(0), group.peer(1), group.peer(2)), owners.getFirst());
      group.await("three members", () -> !owners.getFirst().changes.isEmpty());
      group.await(
          "all know it",
          () -> group.nodes.stream().allMatch(node -> node.consensus.peers().size() == NODES));
    }
  }

  @TestFactory
  Stream<DynamicTest> contract() {
    return new ConsensusContract(RatisContractTest::world, true)
        .cases().stream().map(each -> DynamicTest.dynamicTest(each.name(), each.check()::run));
  }

  /** The power of all nodes at once: they lose what they had not forced. */
  @Test
  void aPowerCutKeepsWhatWasCommitted() throws IOException {
    assumeTrue(
        Ext4Volume.possible(), "needs ext4 on a loop device: run dev/optional-packages as root");
    List<ConsensusContract.Case> powerCuts =
        new ConsensusContract(RatisContractTest::worldWithPower, true)
            .cases().stream().filter(each -> each.name().startsWith("a power cut")).toList();
    assertThat(powerCuts).hasSize(1);
    powerCuts.getFirst().check().run();
  }

  private static ConsensusWorld worldWithPower() throws IOException {
    Path place = Files.createDirectory(directory.resolve("world-" + worlds++));
    Ext4Volume volume = Ext4Volume.make(place, VOLUME_BYTES);
    Path copy = volume.root().resolve("group");
    TestGroup.copy(directory.resolve("formed"), copy);
    volume.force();
    TestGroup group = new TestGroup(copy, NODES, volume);
    for (int i = 0; i < NODES; i++) group.open(i);
    return group;
  }

  private static ConsensusWorld world() throws IOException {
    Path copy = directory.resolve("world-" + worlds++);
    TestGroup.copy(directory.resolve("formed"), copy);
    TestGroup group = new TestGroup(copy, NODES);
    for (int i = 0; i < NODES; i++) group.open(i);
    return group;
  }
}
