// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.seat.manager.state.Offers;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import io.forebay.wire.message.Statuses;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A manager that leads only at times (P33 to P35). */
class ManagerOfSeveralTest {
  private static final long SECOND = ManagerWorld.SECOND;
  private static final String OTHER = "10.0.0.101:7070";
  private static final SeatId FIRST = new SeatId(1);
  private static final GroupId GROUP = GroupId.of(FIRST, 1);
  private static final ProtocolTimes.Manager TIMES = ProtocolTimes.DEFAULT.manager();
  private static final ProtocolTimes.Lease LEASES = ProtocolTimes.DEFAULT.lease();

  private final PlayedGroup group = new PlayedGroup();
  private ManagerWorld world;
  private ManagerWorld.Peer home;

  @BeforeEach
  void form() throws Exception {
    world = ManagerWorld.ofGroup(1, new ManagerConfig(1, 30 * SECOND, 1), group);
    home = world.form(1, 1).getFirst();
  }

  private Maps.Lease lease() {
    Group alone = world.manager.map().group(GROUP);
    return new Maps.Lease(GROUP, alone.epoch(), FIRST, world.now());
  }

  private static ErrorCode code(Message message) {
    return ((Replies.Failed) message).code();
  }

  @Test
  void oneThatDoesNotLeadNamesTheLeaderAndDecidesNothing() {
    group.depose(OTHER);
    world.pass(SECOND);
    assertThat(home.leaders).containsExactly(OTHER);
    ManagerWorld.Peer late = world.client();
    world.pass(SECOND);
    assertThat(late.leaders).containsExactly(OTHER);
    for (Message request :
        List.of(new Maps.GetMap(0), Offers.create("a", 1), new Maps.Leave("s1"))) {
      assertThat(code(late.ask(request))).isEqualTo(ErrorCode.UNAVAILABLE);
    }
    assertThat(code(home.ask(Offers.init(1, 1, 1)))).isEqualTo(ErrorCode.UNAVAILABLE);
    Statuses.ManagerStatus status = (Statuses.ManagerStatus) late.ask(new Statuses.GetStatus());
    assertThat(status.state()).contains("another manager leads");

    assertThat(home.saysThatItLeads).isFalse();
    group.lead();
    world.until(() -> home.saysThatItLeads, "a manager that says that it leads");
    assertThat(home.ask(new Maps.GetMap(0))).isInstanceOf(Maps.MapIs.class);
    ManagerWorld.Peer client = world.client();
    world.pass(SECOND);
    assertThat(client.leaders).isEmpty();
    assertThat(client.saysThatItLeads).isTrue();
  }

  /** What changes the members of a real group, ManagersOfClusterTest shows. */
  @Test
  void managersAreAddedOnlyToAGroup() {
    Message add = new Maps.AddManager("m2", "0123456789abcdef", "h2:7069", "h2:7070");
    Replies.Failed refused = (Replies.Failed) world.client().ask(add);
    assertThat(refused.code()).isEqualTo(ErrorCode.REFUSED);
    assertThat(refused.detail()).contains("--peer-listen");
  }

  @Test
  void aLeaseIsGrantedOnlyShortlyAfterAMajorityHasConfirmedTheLeader() {
    long first = home.send(lease());
    world.pass(SECOND / 10);
    assertThat(home.answer(first)).as("not before the answer of the others").isNull();
    group.confirm(true);
    world.until(() -> home.answer(first) != null, "a lease");
    assertThat(home.answer(first)).isInstanceOf(Maps.LeaseGranted.class);
    int questions = group.questions;
    assertThat(home.ask(lease())).isInstanceOf(Maps.LeaseGranted.class);
    assertThat(group.questions).as("it has just been confirmed").isEqualTo(questions);

    world.pass(TIMES.confirmedNanos());
    long second = home.send(lease());
    world.pass(SECOND / 10);
    assertThat(home.answer(second)).isNull();
    group.confirm(false);
    world.until(() -> home.answer(second) != null, "a refusal");
    assertThat(code(home.answer(second))).isEqualTo(ErrorCode.UNAVAILABLE);
  }

  /** A predecessor may grant leases for a moment after this one leads. */
  @Test
  void aNewLeaderWaitsForTheLastLeasesOfItsPredecessor() {
    group.depose(OTHER);
    world.pass(SECOND);
    group.lead();
    long ledNanos = world.now();
    world.until(() -> world.manager.map() != null, "a map");
    ManagerWorld.Peer restarted = world.seat();
    Maps.SeatOffer again = Offers.seat(1, 1, 1, 2);
    assertThat(restarted.ask(Offers.init(1, 1, 0, again))).isInstanceOf(Maps.MapIs.class);
    assertThat(world.now() - ledNanos)
        .isGreaterThanOrEqualTo(LEASES.promiseNanos() + TIMES.confirmedNanos());
  }

  private ManagerWorld.Peer seatOfCluster() {
    return world.dial(Handshake.Role.SEAT, world.manager.map().cluster());
  }

  /** The map of a successor, whose maps this one does not know yet. */
  private long unknownEpoch() {
    return world.manager.map().epoch() + 1_000_000;
  }

  @Test
  void aMapOfASuccessorMakesItAFollowerAndDoesNotStopIt() {
    seatOfCluster().send(new Maps.GetMap(unknownEpoch()));
    world.until(() -> group.questions > 0, "a question");
    assertThat(code(world.client().ask(Offers.create("a", 1)))).isEqualTo(ErrorCode.UNAVAILABLE);
    for (int i = 0; i < 3; i++) {
      group.confirm(false);
      world.pass(SECOND);
    }
    assertThat(group.questions).as("asked again until it knows").isGreaterThan(2);
    group.depose(OTHER);
    group.confirm(false);
    world.pass(SECOND);
    int questions = group.questions;
    world.pass(5 * SECOND);
    assertThat(group.questions).isEqualTo(questions);

    group.lead();
    world.until(
        () -> !(world.client().ask(Offers.create("b", 1)) instanceof Replies.Failed),
        "an instance");
  }

  @Test
  void aMapThatNoLeaderMadeStopsTheLeader() {
    long epoch = unknownEpoch();
    seatOfCluster().send(new Maps.GetMap(epoch));
    world.until(() -> group.questions > 0, "a question");
    assertThat(world.warned).noneMatch(each -> each.contains("has stopped"));
    group.confirm(true);
    assertThat(world.warned).anyMatch(each -> each.contains("has stopped: a seat has the map"));
    assertThat(world.client().refusal(Offers.create("a", 1))).contains("has stopped");
  }
}
