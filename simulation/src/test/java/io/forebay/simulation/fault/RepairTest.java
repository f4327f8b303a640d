// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.SeatEntry;
import io.forebay.simulation.SeededRuns;
import io.forebay.simulation.SimulationRun;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.store.record.ReadResult;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Names;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A seat that lost what it held is brought up to date, and then counts like any other. */
class RepairTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int LENGTH = 100_000;
  private static final int OPERATIONS = 300;
  private static final int USERS = 4;
  private static final long SNAPSHOT_BYTES = 2_000;

  private record Written(GroupId group, RecordId record) {}

  private static boolean allCurrent(World world) {
    return world.map() != null
        && world.map().groups().stream()
            .flatMap(group -> group.members().stream())
            .allMatch(Group.Member::current);
  }

  private static void loseAndReturn(World world, RawClient client, SeatNode node) {
    long epoch = client.map().epoch();
    node.killAndLoseMemory();
    world.runFor(SECOND);
    node.start();
    assertThat(world.runUntil(() -> client.map().epoch() > epoch, 20 * SECOND)).isTrue();
  }

  private static List<Written> write(RawClient client, int from, int count) {
    List<Written> all = new ArrayList<>();
    List<SeatEntry> seats = client.map().seats();
    for (int i = from; i < from + count; i++) {
      SeatId origin = seats.get(i % seats.size()).id();
      Written each =
          new Written(
              GroupId.of(origin, client.instance().copies()),
              new RecordId(RawClient.SESSION, (i + 1) * 256L));
      ByteBuffer bytes = RawClient.content(each.record, LENGTH);
      Data.Put put =
          new Data.Put(
              each.group,
              client.group(each.group).epoch(),
              each.record,
              new FileId(client.instance().id(), Names.inTree(0, 1000)),
              offsetOf(each),
              client.instance().forced(),
              RawClient.SECRET,
              Checksums.of(BlockChecksums.of(bytes)));
      assertThat(client.await(client.putAs(put, bytes))).isInstanceOf(Data.PutDone.class);
      all.add(each);
    }
    return all;
  }

  private static long offsetOf(Written each) {
    return each.record.sequence() * LENGTH;
  }

  private static void readFrom(RawClient client, SeatNode node, Written each) {
    long request =
        client.send(
            node.host(),
            Lane.CONTROL,
            new Data.Get(
                each.group, each.record, client.instance().id(), 0, LENGTH, RawClient.SECRET));
    client.await(request);
    assertThat(client.payload(request))
        .as("%s from %s", each, node.host())
        .isEqualTo(RawClient.content(each.record, LENGTH));
    ReadResult[] stored = new ReadResult[1];
    node.store().read(each.record, 0, LENGTH, result -> stored[0] = result);
    // What comes from the SSD comes later.
    if (stored[0] instanceof ReadResult.Bytes found) {
      assertThat(found.fileOffset()).isEqualTo(offsetOf(each));
      found.slice().close();
    }
  }

  @Test
  void whatWasLostIsThereAgain() {
    World world = new World(WorldOptions.CALM, 51);
    RawClient client = RawClient.withInstance(world, 2, false);
    client.names(new Names.BeginSession("raw", 6000 * SECOND));
    for (int i = 0; i < 50; i++) client.names(new Names.MakeDirectory(Names.ROOT, "a" + i, 0755));
    List<Written> written = write(client, 0, 40);
    GroupId root = client.instance().rootGroup();
    // One after the other loses everything: in the end nobody holds a first copy.
    for (SeatNode node : world.seats()) {
      loseAndReturn(world, client, node);
      written.addAll(write(client, written.size(), 10));
      client.names(new Names.MakeDirectory(Names.ROOT, "b-" + node.host(), 0755));
      assertThat(world.runUntil(() -> allCurrent(world), 60 * SECOND)).isTrue();
      world.runFor(5 * SECOND);
    }
    for (Written each : written) {
      Group group = client.group(each.group);
      for (int place = 0; place < group.members().size(); place++) {
        readFrom(client, world.seatAt(client.hostOf(group, place)), each);
      }
    }
    assertThat(client.group(root).members()).hasSize(2);
    for (int i = 0; i < 50; i++) {
      assertThat(client.names(new Names.Lookup(Names.ROOT, "a" + i, true)))
          .isInstanceOf(Names.NodeIs.class);
    }
    for (SeatNode node : world.seats()) {
      assertThat(client.names(new Names.Lookup(Names.ROOT, "b-" + node.host(), true)))
          .isInstanceOf(Names.NodeIs.class);
    }
  }

  @Test
  void roomComesBackWhileAMemberIsAwayAndThenThereToo() {
    World world = new World(WorldOptions.CALM, 52);
    RawClient client = RawClient.withInstance(world, 2, true);
    client.names(new Names.BeginSession("raw", 6000 * SECOND));
    GroupId root = client.instance().rootGroup();
    RecordId record = new RecordId(RawClient.SESSION, 256);
    long number = client.publishFile("f", root, record, LENGTH, true);
    SeatNode home = world.seatAt(client.homeOf(root));
    SeatNode away = world.seatAt(client.hostOf(client.group(root), 1));
    loseAndReturn(world, client, away);
    assertThat(away.store().present(record)).as("forced, so not lost").isTrue();
    away.kill();
    world.runFor(3 * SECOND);
    assertThat(client.group(root).members().getLast().current()).isFalse();
    client.names(new Names.SetAttributes(number, "", false, -1, -1, -1, 0, -1, -1));
    world.runFor(3 * SECOND);
    assertThat(home.store().present(record)).isFalse();
    away.start();
    assertThat(world.runUntil(() -> allCurrent(world), 60 * SECOND)).isTrue();
    world.runFor(5 * SECOND);
    assertThat(away.store().present(record)).isFalse();
  }

  private static void run(WorldOptions options, boolean forced, boolean parted, int seeds) {
    SeededRuns.check(
        seeds,
        seed -> {
          SimulationRun run = new SimulationRun(options, USERS, seed).withKills().withLosses();
          return parted ? run.withPartitions() : run;
        },
        OPERATIONS,
        forced,
        (run, outcome) -> assertThat(run.madeCurrent()).isPositive());
  }

  @Test
  void calmNetwork() {
    run(WorldOptions.CALM, false, false, 2);
  }

  @Test
  void lateReorderedAndDuplicatedMessages() {
    run(WorldOptions.ROUGH.withSnapshotBytes(SNAPSHOT_BYTES), false, false, 2);
  }

  @Test
  void partitionsToo() {
    run(WorldOptions.ROUGH, false, true, 1);
  }

  @Test
  void forcedWrites() {
    run(WorldOptions.ROUGH, true, false, 1);
  }

  @Test
  void threeCopiesOnFiveSeats() {
    run(WorldOptions.ROUGH.withSeats(5, 3), false, false, 1);
  }
}
