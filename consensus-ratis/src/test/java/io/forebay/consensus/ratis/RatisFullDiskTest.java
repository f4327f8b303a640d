// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.seat.consensus.Peer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose disk is full. */
class RatisFullDiskTest {
  private static final int FULL = 0;
  private static final int COMMAND_BYTES = 256 * 1024;

  @TempDir Path directory;

  @Test
  void aNodeWhoseDiskIsFullStopsAndTheOthersGoOn() throws Exception {
    try (SmallDisk _ = SmallDisk.mount(directory.resolve("group/n" + FULL));
        TestGroup group = new TestGroup(directory.resolve("group"), 3)) {
      group.found(FULL, null);
      List<Owner> owners = Stream.generate(Owner::new).limit(3).toList();
      for (int i = 0; i < 3; i++) {
        group.open(i);
        group.consensus(i).start(owners.get(i), owners.get(i));
      }
      group.await("a leader", () -> owners.get(FULL).leading);
      List<Peer> all = List.of(group.peer(0), group.peer(1), group.peer(2));
      group.consensus(FULL).changeMembers(all, owners.get(FULL));
      group.await("three members", () -> owners.get(FULL).changes.contains("changed"));
      List<String> stops = group.nodes.get(FULL).stops;
      String much = "x".repeat(COMMAND_BYTES);
      group.await(
          "the end of the node",
          () -> {
            for (int i = 0; i < 3; i++) {
              if (owners.get(i).leading) propose(group, owners.get(i), i, much);
            }
            return !stops.isEmpty();
          });
      assertThat(stops.getFirst()).contains("m" + FULL).contains("cannot be written");
      assertThat(owners.get(FULL).leading).isFalse();
      group.await(
          "the others go on",
          () -> {
            for (int i = 1; i < 3; i++) {
              if (owners.get(i).leading) propose(group, owners.get(i), i, "after");
            }
            return owners.get(1).applied.contains("after")
                && owners.get(2).applied.contains("after");
          });
    }
  }

  /** One at a time. */
  private static void propose(TestGroup group, Owner owner, int node, String command) {
    if (!owner.isIdle()) return;
    owner.proposed++;
    group.consensus(node).propose(Owner.bytes(command), owner.outcomes::add);
  }
}
