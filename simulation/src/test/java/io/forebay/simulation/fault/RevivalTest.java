// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.ring.Group;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import org.junit.jupiter.api.Test;

/** A ring that keeps data in memory only, and loses it: an operator gets it going again. */
class RevivalTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int SEGMENT_BYTES = 512 * 1024;
  private static final int LENGTH = 50_000;
  private static final StoreConfig MEMORY = StoreConfig.memory(SEGMENT_BYTES, 24L * SEGMENT_BYTES);

  private final World world = new World(WorldOptions.CALM.withStore(MEMORY), 71);

  private static RecordId record(int number) {
    return new RecordId(RawClient.SESSION, (number + 1) * 256L);
  }

  private boolean nobodyIsCurrent() {
    return world.map() != null
        && world.map().groups().stream().allMatch(group -> group.currentMembers() == 0);
  }

  private boolean allAreCurrent() {
    return world.map() != null && world.map().groups().stream().allMatch(Group::isWhole);
  }

  private void loseAllMemory() {
    for (SeatNode node : world.seats()) node.killAndLoseMemory();
    world.runFor(SECOND);
    for (SeatNode node : world.seats()) node.start();
    assertThat(world.runUntil(this::nobodyIsCurrent, 30 * SECOND)).isTrue();
  }

  private static Message revive(RawClient client, Group group) {
    Group.Member home = group.members().getFirst();
    return client.call(
        "manager",
        Lane.CONTROL,
        new Maps.Revive(group.id(), group.epoch(), home.seat(), home.incarnation()));
  }

  @Test
  void aRingThatLostAllOfItsMemoryGoesOnWhenAnOperatorSaysSo() {
    RawClient client = RawClient.withInstance(world, 2, false);
    client.names(new Names.BeginSession("raw", 6000 * SECOND));
    GroupId root = client.instance().rootGroup();
    client.publishFile("before", root, record(0), LENGTH, true);
    Message found = client.names(new Names.Lookup(Names.ROOT, "before", true));
    long numberBefore = ((Names.NodeIs) found).attributes().number();
    assertThat(revive(client, client.group(root)))
        .as("a group that is served needs no revival")
        .isInstanceOf(Replies.Failed.class);
    loseAllMemory();
    world.runFor(60 * SECOND);
    assertThat(nobodyIsCurrent()).as("it does not go on by itself").isTrue();
    for (Group group : client.map().groups()) {
      assertThat(revive(client, group)).isInstanceOf(Replies.Done.class);
    }
    assertThat(world.runUntil(this::allAreCurrent, 60 * SECOND)).isTrue();
    world.runFor(5 * SECOND);
    assertThat(client.group(root).mayLack(client.instance())).isTrue();
    client.names(new Names.BeginSession("raw", 6000 * SECOND));
    assertThat(client.names(new Names.Lookup(Names.ROOT, "before", true)))
        .isInstanceOf(Replies.Failed.class);
    client.publishFile("after", root, record(1), LENGTH, true);
    Message after = client.names(new Names.Lookup(Names.ROOT, "after", true));
    assertThat(((Names.NodeIs) after).attributes().number())
        .as("tombstones of the files before must not meet it")
        .isGreaterThan(numberBefore + 1_000_000);
  }
}
