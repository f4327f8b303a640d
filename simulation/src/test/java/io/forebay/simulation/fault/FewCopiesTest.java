// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.client.core.ClientCore;
import io.forebay.client.core.OpenFile;
import io.forebay.ring.Group;
import io.forebay.simulation.SeededRuns;
import io.forebay.simulation.SimulationRun;
import io.forebay.simulation.world.LoneClient;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What happens while there are fewer seats than copies: {@code degrade} or {@code wait} (P15). */
class FewCopiesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int LENGTH = 200_000;
  private static final int OPERATIONS = 200;
  private static final int USERS = 3;
  private static final Identity ROOT = Identity.root();

  private World world;
  private RawClient raw;
  private LoneClient client;
  private ClientCore core;

  private void start(int seats, String whenDegraded) {
    world = new World(WorldOptions.CALM.withSeats(seats, 2), 21);
    raw = RawClient.withInstance(world, 2, false, "shared", whenDegraded, "ketama");
    client = new LoneClient(world, "client");
    core = client.start("i");
    client.get(core.start());
  }

  private CompletableFuture<OpenFile> open(String name) {
    return core.open(
        ROOT, root -> new Names.Open(root, name, true, true, true, false, false, 0644));
  }

  private static CompletableFuture<Void> write(OpenFile file) {
    ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
    return file.write(file.layout().cut(bytes, 0), 0, false).acknowledged();
  }

  private void killAndMiss(SeatNode seat) {
    seat.kill();
    assertThat(
            world.runUntil(
                () -> world.map().groups().stream().anyMatch(group -> !group.isWhole()),
                20 * SECOND))
        .isTrue();
    world.runFor(SECOND);
  }

  private SeatNode member(GroupId group, int place) {
    return world.seatAt(raw.hostOf(raw.group(group), place));
  }

  @Test
  void whoDegradesGoesOnWithOneCopy() {
    start(2, "continue");
    OpenFile file = client.get(open("before"));
    killAndMiss(member(raw.instance().rootGroup(), 1));
    client.get(write(file));
    client.get(file.close());
    client.get(open("after"));
    assertThat(world.map().groups()).noneMatch(Group::isWhole);
  }

  @Test
  void whoWaitsIsAcknowledgedNothingUntilCopiesAreBack() {
    start(2, "wait");
    OpenFile file = client.get(open("before"));
    client.get(write(file));
    SeatNode dead = member(raw.instance().rootGroup(), 1);
    killAndMiss(dead);
    CompletableFuture<Void> written = write(file);
    CompletableFuture<OpenFile> opened = open("after");
    assertThat(world.runUntil(() -> written.isDone() || opened.isDone(), 15 * SECOND)).isFalse();
    assertThat(client.warnings)
        .anyMatch(each -> each.contains("has 1 of 2 copies, and the instance waits"));
    // What is there can be read.
    assertThat(client.get(core.lookUp(ROOT, "before", true)).sizeBytes()).isEqualTo(LENGTH);
    dead.start();
    client.get(written);
    client.get(opened);
    assertThat(world.map().groups()).allMatch(Group::isWhole);
  }

  @Test
  void whoWaitsWritesToGroupsThatHaveAllTheirCopies() {
    start(4, "wait");
    GroupId root = raw.instance().rootGroup();
    Group names = raw.group(root);
    OpenFile file = client.get(open("file"));
    SeatNode dead =
        world.seats().stream()
            .filter(each -> !each.host().equals(raw.hostOf(names, 0)))
            .filter(each -> !each.host().equals(raw.hostOf(names, 1)))
            .findFirst()
            .orElseThrow();
    killAndMiss(dead);
    client.get(write(file));
    client.get(file.close());
  }

  @Test
  void deathsAndPartitionsWhileInstancesWait() {
    SeededRuns.check(
        2,
        seed ->
            new SimulationRun(WorldOptions.ROUGH, USERS, seed)
                .withWaiting()
                .withKills()
                .withPartitions(),
        OPERATIONS,
        false,
        (run, outcome) -> assertThat(outcome.faultCount()).isPositive());
  }
}
