// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.client.core.ClientCore;
import io.forebay.client.core.OpenFile;
import io.forebay.ring.Group;
import io.forebay.simulation.world.Administrator;
import io.forebay.simulation.world.LoneClient;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.store.log.RecordLayout;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Statuses;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Bytes that change in a seat's log are found out and replaced by a copy, or reported lost. */
class DamageTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int LENGTH = 100_000;
  private static final int FOUND_BY_BYTES = 64;
  private static final RecordId RECORD = new RecordId(RawClient.SESSION, 256);

  private final World world = new World(WorldOptions.CALM.withSeats(4, 2), 71);
  private RawClient raw;
  private GroupId group;

  private void publish(boolean forced) {
    raw = RawClient.withInstance(world, 2, forced);
    raw.names(new Names.BeginSession("raw", 6000 * SECOND));
    group = raw.instance().rootGroup();
    raw.publishFile("f", group, RECORD, LENGTH, true);
  }

  private SeatNode member(int place) {
    return world.seatAt(raw.hostOf(raw.group(group), place));
  }

  private static void damage(SeatNode node) {
    ByteBuffer content = RawClient.content(RECORD, LENGTH).slice(LENGTH / 2, FOUND_BY_BYTES);
    assertThat(node.damage(content, 0)).isPositive();
  }

  private Statuses.Counters counters(SeatNode node) {
    return ((Statuses.SeatStatus) raw.call(node.host(), Lane.CONTROL, new Statuses.GetStatus()))
        .counters();
  }

  /** Waits for so many seconds at most. */
  private boolean soon(BooleanSupplier condition, int seconds) {
    for (int i = 0; i < seconds && !condition.getAsBoolean(); i++) world.runFor(SECOND);
    return condition.getAsBoolean();
  }

  private void requireRepaired(SeatNode node) {
    assertThat(soon(() -> counters(node).repaired() == 1, 60)).isTrue();
    assertThat(counters(node).corrupt()).isEqualTo(1);
    assertThat(counters(node).lost()).isZero();
    long request =
        raw.send(
            node.host(),
            Lane.CONTROL,
            new Data.Get(group, RECORD, raw.instance().id(), 0, LENGTH, RawClient.SECRET));
    raw.await(request);
    assertThat(raw.payload(request)).isEqualTo(RawClient.content(RECORD, LENGTH));
  }

  @Test
  void aScrubFindsItAtAMember() {
    publish(false);
    damage(member(1));
    requireRepaired(member(1));
  }

  @Test
  void aScrubFindsItAtTheHome() {
    publish(false);
    damage(member(0));
    requireRepaired(member(0));
  }

  @Test
  void aReaderFindsItAndReadsElsewhere() {
    publish(false);
    damage(member(0));
    LoneClient client = new LoneClient(world, "client-a");
    ByteBuffer target = ByteBuffer.allocate(LENGTH);
    client.get(open(client).read(0, target));
    assertThat(target.clear()).isEqualTo(RawClient.content(RECORD, LENGTH));
    assertThat(soon(() -> counters(member(0)).repaired() == 1, 5)).isTrue();
    requireRepaired(member(0));
  }

  /** For a part of a block there is no checksum that its writer meant. */
  @Test
  void aReaderOfALittleNeverGetsIt() {
    publish(false);
    damage(member(0));
    LoneClient client = new LoneClient(world, "client-a");
    OpenFile file = open(client);
    int from = LENGTH / 2 - 100;
    ByteBuffer target = ByteBuffer.allocate(500);
    client.get(file.read(from, target));
    assertThat(target.clear()).isEqualTo(RawClient.content(RECORD, LENGTH).slice(from, 500));
    assertThat(soon(() -> counters(member(0)).repaired() == 1, 5)).isTrue();
  }

  @Test
  void recoveryFindsIt() {
    for (int place = 0; place < 2; place++) {
      if (place == 0) publish(true);
      SeatNode node = member(place);
      node.kill();
      damage(node);
      world.runFor(SECOND);
      node.start();
      world.runFor(SECOND);
      requireRepaired(node);
      world.runFor(30 * SECOND);
    }
  }

  @Test
  void recoveryFindsItThoughTheSeatDoesNotKnowItsPlaceYet() {
    publish(true);
    SeatNode node = member(1);
    node.kill();
    damage(node);
    world.manager().kill();
    node.start();
    world.runFor(5 * SECOND);
    world.manager().start();
    world.runFor(5 * SECOND);
    requireRepaired(node);
  }

  /** The log finds no record there, so the seat does not know what it lacks; others do. */
  @Test
  void whatIsMissingAfterARestartComesBack() {
    publish(true);
    ByteBuffer beginning = RawClient.content(RECORD, LENGTH).slice(0, FOUND_BY_BYTES);
    for (int place = 0; place < 2; place++) {
      SeatNode node = member(place);
      node.kill();
      assertThat(node.damage(beginning, RecordLayout.payloadOffset(LENGTH))).isPositive();
      world.runFor(SECOND);
      node.start();
      assertThat(node.store().present(RECORD)).isFalse();
      assertThat(soon(() -> node.store().present(RECORD), 60)).isTrue();
      world.runFor(10 * SECOND);
    }
  }

  @Test
  void whatIsMissingComesBackThoughTheMapChangesAllTheTime() {
    publish(true);
    SeatNode node = member(1);
    SeatNode restless =
        world.seats().stream()
            .filter(each -> !each.equals(member(0)) && !each.equals(member(1)))
            .findFirst()
            .orElseThrow();
    node.kill();
    ByteBuffer beginning = RawClient.content(RECORD, LENGTH).slice(0, FOUND_BY_BYTES);
    assertThat(node.damage(beginning, RecordLayout.payloadOffset(LENGTH))).isPositive();
    node.start();
    for (int i = 0; i < 10 && !node.store().present(RECORD); i++) {
      restless.kill();
      restless.start();
      world.runFor(5 * SECOND);
    }
    assertThat(node.store().present(RECORD)).isTrue();
  }

  /**
   * The only seat with a sound copy stands still while it leaves, and another takes its place: not
   * before that one has it, too.
   */
  @Test
  void whoTakesTheLastSoundCopyWithItIsWaitedFor() {
    publish(false);
    SeatNode home = member(0);
    SeatNode leaver = member(1);
    world.pause(leaver);
    assertThat(world.runUntil(() -> raw.group(group).currentMembers() == 1, 30 * SECOND)).isTrue();
    damage(home);
    raw.call(home.host(), Lane.CONTROL, new Data.LooksDamaged(RECORD));
    assertThat(soon(() -> counters(home).corrupt() == 1, 5)).isTrue();
    new Administrator(world).leave(leaver.host());
    world.runFor(20 * SECOND);
    world.resume(leaver);
    assertThat(world.runUntil(leaver::hasLeft, 60 * SECOND)).isTrue();
    leaver.kill();
    LoneClient client = new LoneClient(world, "client-a");
    ByteBuffer target = ByteBuffer.allocate(LENGTH);
    client.get(open(client).read(0, target));
    assertThat(target.clear()).isEqualTo(RawClient.content(RECORD, LENGTH));
  }

  @Test
  void whoIsAskedWhetherItIsSoundLooks() {
    publish(false);
    assertThat(unsound(member(0))).isZero();
    damage(member(0));
    assertThat(unsound(member(1))).isZero();
    assertThat(unsound(member(0))).isEqualTo(1);
    assertThat(soon(() -> counters(member(0)).repaired() == 1, 5)).isTrue();
    assertThat(unsound(member(0))).isZero();
  }

  private int unsound(SeatNode node) {
    Data.AskSound question = new Data.AskSound(raw.instance().id(), List.of(RECORD));
    return ((Data.LackingAre) raw.call(node.host(), Lane.CONTROL, question)).records().size();
  }

  @Test
  void theLastCopyIsReportedLost() {
    publish(false);
    for (int place = 0; place < 2; place++) damage(member(place));
    LoneClient client = new LoneClient(world, "client-a");
    OpenFile file = open(client);
    assertThatThrownBy(() -> client.get(file.read(0, ByteBuffer.allocate(LENGTH))))
        .hasMessageContaining("bytes 0 to " + (LENGTH - 1));
    assertThat(soon(() -> counters(member(0)).lost() == 1, 60)).isTrue();
    for (int place = 0; place < 2; place++) {
      Data.LackingAre lacking =
          (Data.LackingAre)
              raw.call(
                  member(place).host(),
                  Lane.CONTROL,
                  new Data.AskHeld(raw.instance().id(), List.of(RECORD)));
      assertThat(lacking.records()).hasSize(1);
      assertThat(lacking.records().getFirst().sinceNanos()).isPositive();
    }
  }

  @Test
  void whatAllMembersLostAtOnceIsNamedToo() {
    raw = RawClient.withInstance(world, 2, false);
    raw.names(new Names.BeginSession("raw", 6000 * SECOND));
    Group names = raw.group(raw.instance().rootGroup());
    group =
        raw.map().groups().stream()
            .filter(each -> names.members().stream().noneMatch(m -> each.indexOf(m.seat()) >= 0))
            .findFirst()
            .orElseThrow()
            .id();
    raw.publishFile("f", group, RECORD, LENGTH, true);
    List<SeatNode> lost = List.of(member(0), member(1));
    lost.forEach(SeatNode::killAndLoseMemory);
    world.runFor(SECOND);
    lost.forEach(SeatNode::start);
    world.runFor(20 * SECOND);
    LoneClient client = new LoneClient(world, "client-a");
    OpenFile file = open(client);
    assertThatThrownBy(() -> client.get(file.read(0, ByteBuffer.allocate(LENGTH))))
        .hasMessageContaining("bytes 0 to " + (LENGTH - 1) + " are lost");
  }

  private static OpenFile open(LoneClient client) {
    ClientCore core = client.start("i");
    client.get(core.start());
    return client.get(
        core.open(
            Identity.root(),
            root -> new Names.Open(root, "f", true, false, false, false, false, 0644)));
  }
}
