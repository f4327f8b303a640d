// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.ring.Group;
import io.forebay.simulation.SeededRuns;
import io.forebay.simulation.SimulationRun;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Machines lose their memory, all at once or so that somebody else must be believed. */
class PowerCutOfAllTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int LENGTH = 50_000;
  private static final int OPERATIONS = 200;
  private static final int USERS = 4;
  private static final int SEEDS = Integer.getInteger("forebay.seeds", 1);
  private static final long SNAPSHOT_BYTES = 2_000;
  private static final int SEGMENT_BYTES = 512 * 1024;

  private static boolean allCurrent(World world) {
    return world.map() != null
        && world.map().groups().stream()
            .flatMap(group -> group.members().stream())
            .allMatch(Group.Member::current);
  }

  private static void cutPower(World world) {
    for (SeatNode node : world.seats()) node.killAndLoseMemory();
    world.manager().killAndLoseMemory();
    world.runFor(SECOND);
    world.manager().start();
    for (SeatNode node : world.seats()) {
      node.start();
      world.runFor(SECOND);
    }
    assertThat(world.runUntil(() -> allCurrent(world), 60 * SECOND)).isTrue();
    world.runFor(5 * SECOND);
  }

  private static RecordId record(int number) {
    return new RecordId(RawClient.SESSION, (number + 1) * 256L);
  }

  private static List<GroupId> writeFiles(RawClient client, int count) {
    List<GroupId> groups = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      GroupId group =
          GroupId.of(
              client.map().seats().get(i % client.map().seats().size()).id(),
              client.instance().copies());
      client.publishFile("f" + i, group, record(i), LENGTH, true);
      groups.add(group);
    }
    return groups;
  }

  private static void requireFiles(RawClient client, List<GroupId> groups) {
    for (int i = 0; i < groups.size(); i++) {
      assertThat(client.names(new Names.Lookup(Names.ROOT, "f" + i, true)))
          .as("f%d", i)
          .isInstanceOf(Names.NodeIs.class);
      requireRecord(client, groups.get(i), record(i));
    }
  }

  private static void requireRecord(RawClient client, GroupId id, RecordId record) {
    Group group = client.group(id);
    for (int place = 0; place < group.members().size(); place++) {
      Data.Get get = new Data.Get(id, record, client.instance().id(), 0, LENGTH, RawClient.SECRET);
      long request = client.send(client.hostOf(group, place), Lane.CONTROL, get);
      client.await(request);
      assertThat(client.payload(request))
          .as("%s at place %d of %s", record, place, id)
          .isEqualTo(RawClient.content(record, LENGTH));
    }
  }

  @Test
  void whatWasForcedComesBackByItself() {
    World world = new World(WorldOptions.CALM, 61);
    RawClient client = RawClient.withInstance(world, 2, true);
    client.names(new Names.BeginSession("raw", 6000 * SECOND));
    List<GroupId> groups = writeFiles(client, 12);
    cutPower(world);
    requireFiles(client, groups);
    assertThat(client.names(new Names.MakeDirectory(Names.ROOT, "d", 0755)))
        .as("its session goes on")
        .isInstanceOf(Names.NodeIs.class);
    cutPower(world);
    requireFiles(client, groups);
    assertThat(client.names(new Names.Lookup(Names.ROOT, "d", true)))
        .isInstanceOf(Names.NodeIs.class);
  }

  @Test
  void oneCopyThatWasForcedIsEnough() {
    World world = new World(WorldOptions.CALM.withSeats(2, 1), 62);
    RawClient client = RawClient.withInstance(world, 1, true);
    client.names(new Names.BeginSession("raw", 6000 * SECOND));
    List<GroupId> groups = writeFiles(client, 6);
    cutPower(world);
    requireFiles(client, groups);
  }

  /** What was promised to survive only the death of processes may be gone, and nobody is misled. */
  @Test
  void whatWasNotForcedMayBeMissingAndItsSessionsEnd() {
    World world = new World(WorldOptions.CALM, 63);
    RawClient client = RawClient.withInstance(world, 2, false);
    client.makeInstance(2, "forced", 2, true, "shared", "continue", "ketama");
    client.names(new Names.BeginSession("raw", 6000 * SECOND));
    GroupId root = client.instance().rootGroup();
    writeFiles(client, 6);
    cutPower(world);
    Group group = client.group(root);
    assertThat(group.mayLack(client.instance())).isTrue();
    assertThat(group.mayLack(client.map().instance("forced"))).isFalse();
    assertThat(client.names(new Names.MakeDirectory(Names.ROOT, "d", 0755)))
        .isInstanceOfSatisfying(
            Replies.Failed.class,
            failed ->
                assertThat(failed.code())
                    .isIn(ErrorCode.SESSION_ENDED, ErrorCode.UNKNOWN_INSTANCE));
  }

  /**
   * A member is silent and about to be left out; the other dies with its memory before it hears of
   * that. Nothing was acknowledged without the silent one, so it goes on when it is back.
   */
  @Test
  void whoWasLeftOutByAMapThatNobodyFollowedGoesOn() {
    World world = new World(WorldOptions.CALM, 64);
    RawClient client = RawClient.withInstance(world, 2, false);
    client.names(new Names.BeginSession("raw", 6000 * SECOND));
    List<GroupId> groups = writeFiles(client, 6);
    GroupId root = client.instance().rootGroup();
    SeatNode silent = world.seatAt(client.hostOf(client.group(root), 1));
    SeatNode lost = world.seatAt(client.homeOf(root));
    world.pause(silent);
    assertThat(world.runUntil(() -> isLeftOut(client, root, silent), 10 * SECOND)).isTrue();
    // The map has been sent, and nobody has got it.
    lost.killAndLoseMemory();
    world.runFor(2 * SECOND);
    lost.start();
    world.runFor(SECOND);
    world.resume(silent);
    assertThat(world.runUntil(() -> allCurrent(world), 60 * SECOND)).isTrue();
    world.runFor(5 * SECOND);
    requireFiles(client, groups);
    assertThat(client.group(root).restoration()).isEqualTo(Group.Restoration.NEVER);
  }

  private static boolean isLeftOut(RawClient client, GroupId id, SeatNode node) {
    Group group = client.group(id);
    Group.Member last = group.members().getLast();
    return !last.current() && client.hostOf(group, group.members().size() - 1).equals(node.host());
  }

  private static void run(WorldOptions options, boolean parted, int seeds) {
    SeededRuns.check(
        seeds * SEEDS,
        seed -> {
          SimulationRun run = new SimulationRun(options, USERS, seed).withKills().withPowerCuts();
          return parted ? run.withPartitions() : run;
        },
        OPERATIONS,
        true,
        (run, outcome) -> assertThat(outcome.faults()).containsKey(FaultKind.POWER_CUT_OF_ALL));
  }

  @Test
  void usersWriteMeanwhile() {
    run(WorldOptions.CALM, false, 1);
  }

  @Test
  void lateReorderedAndDuplicatedMessages() {
    run(WorldOptions.ROUGH.withSnapshotBytes(SNAPSHOT_BYTES), true, 1);
  }

  @Test
  void memoryThatDiesWithItsProcess() {
    StoreConfig ssd = StoreConfig.ssd(SEGMENT_BYTES, 40L * SEGMENT_BYTES);
    run(WorldOptions.ROUGH.withStore(ssd).withSnapshotBytes(SNAPSHOT_BYTES), false, 1);
  }
}
