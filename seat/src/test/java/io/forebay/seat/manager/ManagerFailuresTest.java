// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.RingMap;
import io.forebay.seat.consensus.SimulatedLog;
import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.seat.manager.state.Offers;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.store.disk.Faults;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import io.forebay.wire.message.Statuses;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Leases, restarts, and logs that have lost something. */
class ManagerFailuresTest {
  private static final long LEASE_NANOS = ProtocolTimes.DEFAULT.lease().lengthNanos();
  private static final long SECOND = ManagerWorld.SECOND;
  private static final GroupId GROUP = GroupId.of(new SeatId(1), 1);

  private static ManagerWorld world(int servers, int copies) throws Exception {
    return new ManagerWorld(servers, new ManagerConfig(servers, 30 * SECOND, copies));
  }

  private static Maps.Lease lease(GroupId group, long epoch, int home) {
    return new Maps.Lease(group, epoch, new SeatId(home), 77);
  }

  // Leases.

  @Test
  void aLoneHomeGetsALease() throws Exception {
    ManagerWorld world = world(2, 1);
    ManagerWorld.Peer seat = world.form(2, 1).getFirst();
    Maps.LeaseGranted granted = (Maps.LeaseGranted) seat.ask(lease(GROUP, 1, 1));
    assertThat(granted).isEqualTo(new Maps.LeaseGranted(GROUP, 1, Maps.MANAGER, 77, LEASE_NANOS));
    assertThat(granted.durationNanos()).isLessThanOrEqualTo(2 * SECOND);
  }

  @Test
  void onlyTheLoneCurrentHomeInThisEpochDoes() throws Exception {
    ManagerWorld world = world(2, 2);
    ManagerWorld.Peer seat = world.form(2, 1).getFirst();
    GroupId pair = GroupId.of(new SeatId(1), 2);
    assertThat(seat.refusal(lease(GROUP, 1, 1))).contains("the map has no group 1x1");
    assertThat(seat.refusal(lease(pair, 1, 1))).contains("not the only current member");
    seat.ask(Offers.init(2, 1, 0, Offers.seat(2, 1, 2)));
    assertThat(seat.refusal(lease(pair, 1, 1))).as("an older epoch").contains("seat 1 is not");
    assertThat(seat.refusal(lease(pair, 2, 2))).as("not the home").contains("seat 2 is not");
    assertThat(seat.ask(lease(pair, 2, 1))).isInstanceOf(Maps.LeaseGranted.class);
  }

  /** A group's epoch is not changed before the last lease of the one before is over. */
  @Test
  void aNewEpochWaitsForTheLease() throws Exception {
    ManagerWorld world = world(2, 1);
    List<ManagerWorld.Peer> seats = world.form(2, 1);
    world.pass(5 * SECOND);
    seats.getFirst().ask(lease(GROUP, 1, 1));
    long grantedNanos = world.now();
    ManagerWorld.Peer back = world.seat();
    long request = back.send(Offers.init(1, 1, 0, Offers.seat(1, 1, 2)));
    world.pass(SECOND);
    assertThat(back.answer(request)).isNull();
    assertThat(seats.getFirst().refusal(lease(GROUP, 1, 1))).contains("about to change");
    assertThat(seats.get(1).ask(lease(GroupId.of(new SeatId(2), 1), 1, 2)))
        .as("others are not disturbed")
        .isInstanceOf(Maps.LeaseGranted.class);
    world.until(() -> back.answer(request) != null, "the map");
    assertThat(world.now() - grantedNanos).isGreaterThanOrEqualTo(LEASE_NANOS);
    RingMap map = ManagerWorld.map(back.answer(request));
    assertThat(map.group(GROUP).epoch()).isEqualTo(2);
    assertThat(map.group(GROUP).members()).noneMatch(member -> member.current());
    assertThat(world.warned).anyMatch(warning -> warning.contains("group 1x1 is unavailable"));
    assertThat(back.refusal(lease(GROUP, 2, 1))).contains("not the only current member");
  }

  @Test
  void aNewManagerWaitsForLeasesItDoesNotKnowOf() throws Exception {
    ManagerWorld world = world(1, 1);
    world.form(1, 1).getFirst().ask(lease(GROUP, 1, 1));
    world.kill();
    world.start();
    ManagerWorld.Peer back = world.seat();
    long startedNanos = world.now();
    long request = back.send(Offers.init(1, 1, 0, Offers.seat(1, 1, 2)));
    world.until(() -> back.answer(request) != null, "the map");
    assertThat(world.now() - startedNanos).isGreaterThan(LEASE_NANOS * 9 / 10);
  }

  /**
   * Seats come back with and without what they held, leases are asked for, the manager dies now and
   * then: whenever a map with a newer epoch of a group is out, no lease of an older one is valid,
   * and epochs only grow.
   */
  @Test
  void noLeaseOutlivesItsEpoch() throws Exception {
    SplittableRandom random = new SplittableRandom(SimulatedLog.seed("noLeaseOutlivesItsEpoch"));
    int granted = 0;
    long raised = 0;
    for (int round = 0; round < 8; round++) {
      ManagerWorld world =
          new ManagerWorld(random.nextLong(), new ManagerConfig(2, SECOND, 1 + round % 2));
      world.form(2, 1);
      LeaseWatch watch = new LeaseWatch(world);
      ManagerWorld.Peer peer = world.seat();
      long[] incarnations = {1, 1};
      for (int i = 0; i < 150; i++) {
        switch (random.nextInt(12)) {
          case 0 -> {
            int server = 1 + random.nextInt(2);
            if (random.nextInt(3) == 0) incarnations[server - 1]++;
            peer.send(Offers.init(server, 1, 0, Offers.seat(server, 1, incarnations[server - 1])));
          }
          case 1 -> {
            if (random.nextInt(4) > 0) break;
            world.kill();
            world.start();
            peer = world.seat();
          }
          default -> watch.ask(peer, random);
        }
        for (int steps = random.nextInt(400); steps > 0; steps--) {
          world.step();
          watch.look();
        }
      }
      granted += watch.granted;
      raised += watch.raised();
    }
    assertThat(granted).isGreaterThan(100);
    assertThat(raised).isGreaterThan(8);
  }

  // Restarts.

  @Test
  void aRestartedManagerGoesOnWhereItWas() throws Exception {
    ManagerWorld world = world(3, 2);
    world.form(3, 2);
    world.client().ask(Offers.create("kept", 2));
    RingMap before = world.manager.map();
    world.cutPower();
    world.start();
    RingMap after = ManagerWorld.map(mapOf(world));
    assertThat(after.cluster()).isEqualTo(before.cluster());
    assertThat(after.term()).isEqualTo(before.term() + 1);
    assertThat(after.epoch()).isGreaterThan(before.epoch());
    assertThat(after.seats()).isEqualTo(before.seats());
    assertThat(after.groups()).isEqualTo(before.groups());
    assertThat(after.instances()).isEqualTo(before.instances());
    Maps.Init again = Offers.init(2, 2, before.epoch(), Offers.seat(2, 1, 1));
    assertThat(ManagerWorld.map(world.seat().ask(again)).epoch()).isEqualTo(after.epoch());
    Maps.InstanceMade made = (Maps.InstanceMade) world.client().ask(Offers.create("next", 2));
    assertThat(made.instance()).isEqualTo(2);
  }

  private static Message mapOf(ManagerWorld world) {
    ManagerWorld.Peer client = world.client();
    for (int i = 0; i < 1000; i++) {
      Message message = client.ask(new Maps.GetMap(0));
      if (message instanceof Maps.MapIs) return message;
    }
    throw new AssertionError("no map");
  }

  @Test
  void seatsThatComeBeforeTheTermBeginsAreAnsweredThen() throws Exception {
    ManagerWorld world = world(1, 1);
    world.form(1, 1);
    long epoch = world.manager.map().epoch();
    world.kill();
    world.log.ssd.setFaults(Faults.NONE.withForceError(1));
    world.start();
    ManagerWorld.Peer seat = world.seat();
    long request = seat.send(Offers.init(1, 1, epoch, Offers.seat(1, 1, 1)));
    world.pass(SECOND);
    assertThat(seat.answer(request)).isNull();
    assertThat(seat.refusal(new Maps.GetMap(0))).contains("decides nothing now");
    world.log.ssd.setFaults(Faults.NONE);
    world.until(() -> seat.answer(request) != null, "the map");
    assertThat(ManagerWorld.map(seat.answer(request)).epoch()).isGreaterThan(epoch);
  }

  @Test
  void anUnknownOutcomeIsSaidAndTheMapStays() throws Exception {
    ManagerWorld world = world(1, 1);
    world.form(1, 1);
    long epoch = world.manager.map().epoch();
    ManagerWorld.Peer client = world.client();
    world.log.ssd.setFaults(Faults.NONE.withForceError(1));
    Maps.CreateInstance create = Offers.create("a", 1);
    assertThat(client.refusal(create)).contains("is not known");
    assertThat(((Maps.MapIs) client.ask(new Maps.GetMap(0))).ringEpoch()).isEqualTo(epoch);
    assertThat(client.refusal(Offers.create("b", 1))).contains("decides nothing now");
    world.log.ssd.setFaults(Faults.NONE);
    world.until(() -> world.manager.map().epoch() > epoch + 1, "the next term");
    assertThat(world.manager.map().instance("a")).as("it was done after all").isNotNull();
    world.until(() -> client.ask(create) instanceof Maps.InstanceMade, "the answer, late");
    assertThat(world.manager.map().instances()).hasSize(1);
    world.until(
        () -> client.ask(Offers.create("b", 1)) instanceof Maps.InstanceMade, "an instance");
  }

  /** Whatever moment it dies at: what clients were told is in the map of every later manager. */
  @Test
  void whateverWasAnsweredStays() throws Exception {
    SplittableRandom random = new SplittableRandom(SimulatedLog.seed("whateverWasAnsweredStays"));
    for (int round = 0; round < 10; round++) {
      ManagerWorld world =
          new ManagerWorld(random.nextLong(), new ManagerConfig(2, 30 * SECOND, 2));
      world.log.surplusEntriesMax = 5 + random.nextInt(20);
      world.form(2, 1);
      Map<String, Integer> made = new LinkedHashMap<>();
      long highest = 0;
      int name = 0;
      for (int life = 0; life < 6; life++) {
        mapOf(world);
        ManagerWorld.Peer client = world.client();
        Map<Long, String> asked = new LinkedHashMap<>();
        for (int i = random.nextInt(30); i > 0; i--) {
          String some = "i" + name++;
          asked.put(client.send(Offers.create(some, 1 + random.nextInt(2))), some);
          for (int steps = random.nextInt(12); steps > 0; steps--) world.step();
        }
        for (Map.Entry<Long, String> each : asked.entrySet()) {
          if (client.answer(each.getKey()) instanceof Maps.InstanceMade answer) {
            made.put(each.getValue(), answer.instance());
            highest = Math.max(highest, answer.ringEpoch());
          }
        }
        for (Maps.MapIs map : client.pushed) highest = Math.max(highest, map.ringEpoch());
        if (random.nextBoolean()) world.cutPower();
        else world.kill();
        world.start();
        RingMap map = ManagerWorld.map(mapOf(world));
        assertThat(map.epoch()).isGreaterThan(highest);
        made.forEach((n, id) -> assertThat(map.instance(n).id()).isEqualTo(id));
      }
    }
  }

  // Logs that have lost something.

  @Test
  void aManagerThatIsShownANewerEpochStops() throws Exception {
    ManagerWorld world = world(2, 1);
    world.form(2, 1);
    ManagerWorld.Peer seat = member(world);
    long epoch = world.manager.map().epoch();
    ManagerWorld.Peer client = world.client();
    String stopped = seat.refusal(new Maps.SeatReport(new SeatId(1), 1, epoch + 1));
    assertThat(stopped)
        .contains("the manager has stopped")
        .contains("seat 1 has the map of epoch " + (epoch + 1))
        .contains("forebay manager recover");
    assertThat(world.warned).contains(stopped);
    assertThat(client.refusal(new Maps.GetMap(0))).isEqualTo(stopped);
    assertThat(client.refusal(Offers.create("a", 1))).isEqualTo(stopped);
    assertThat(seat.refusal(lease(GROUP, 1, 1))).isEqualTo(stopped);
    assertThat(seat.refusal(Offers.init(1, 1, 1))).isEqualTo(stopped);
    Statuses.ManagerStatus status = (Statuses.ManagerStatus) client.ask(new Statuses.GetStatus());
    assertThat(status.state()).isEqualTo(stopped);
  }

  @Test
  void aClientCannotStopAManager() throws Exception {
    ManagerWorld world = world(1, 1);
    world.form(1, 1);
    Maps.MapIs map = (Maps.MapIs) world.client().ask(new Maps.GetMap(Long.MAX_VALUE));
    assertThat(map.map().length()).isZero();
    assertThat(world.client().ask(Offers.create("a", 1))).isInstanceOf(Maps.InstanceMade.class);
  }

  @Test
  void aSeatThatAsksForMapsShowsItsEpochToo() throws Exception {
    ManagerWorld world = world(1, 1);
    world.form(1, 1);
    assertThat(member(world).refusal(new Maps.GetMap(world.manager.map().epoch() + 1)))
        .contains("has stopped");
  }

  /** A seat that has followed the map, and says so. */
  private static ManagerWorld.Peer member(ManagerWorld world) {
    return world.dial(Handshake.Role.SEAT, world.manager.map().cluster());
  }

  @Test
  void aStrangerThatSaysItIsASeatCannotStopAManager() throws Exception {
    ManagerWorld world = world(1, 1);
    world.form(1, 1);
    ManagerWorld.Peer stranger = world.seat();
    assertThat(stranger.ask(new Maps.GetMap(Long.MAX_VALUE))).isInstanceOf(Maps.MapIs.class);
    stranger.ask(new Maps.SeatReport(new SeatId(1), 1, Long.MAX_VALUE));
    assertThat(stranger.refusal(lease(GROUP, 2, 1))).contains("no such epoch");
    assertThat(world.client().ask(Offers.create("a", 1))).isInstanceOf(Maps.InstanceMade.class);
  }

  @Test
  void aNewerEpochOfAGroupStopsItToo() throws Exception {
    ManagerWorld world = world(1, 1);
    world.form(1, 1);
    assertThat(member(world).refusal(lease(GROUP, 2, 1))).contains("has stopped");
  }

  /**
   * The log comes back as it was earlier: its next manager begins a term and would give epochs of
   * its own, but a seat that remembers the lost ones shows it.
   */
  @Test
  void aLostTailIsFoundOutThoughTheNextTermHasBegun() throws Exception {
    ManagerWorld whole = world(1, 1);
    whole.form(1, 1);
    long lost = ((Maps.InstanceMade) whole.client().ask(Offers.create("a", 1))).ringEpoch();
    // The same world without the instance, as if its entry had been lost.
    ManagerWorld world = world(1, 1);
    world.form(1, 1);
    world.cutPower();
    world.start();
    mapOf(world);
    assertThat(world.manager.map().epoch()).isGreaterThan(lost);
    Maps.Init init = Offers.init(1, 1, lost, Offers.seat(1, 1, 1));
    Replies.Failed failed = (Replies.Failed) world.seat().ask(init);
    assertThat(failed.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(failed.detail()).contains("has stopped").contains("part of the log was lost");
  }

  @Test
  void anEmptyLogDoesNotTakeOverARing() throws Exception {
    ManagerWorld old = world(1, 1);
    old.form(1, 1);
    long cluster = old.manager.map().cluster();
    ManagerWorld world = new ManagerWorld(99, new ManagerConfig(1, SECOND, 1));
    Maps.SeatOffer seat = Offers.seat(1, 1, 1);
    Maps.Init member = new Maps.Init(cluster, "s1", 1, "host1", 5, seat);
    assertThat(((Replies.Failed) world.seat().ask(member)).code())
        .isEqualTo(ErrorCode.WRONG_CLUSTER);
    Maps.Init nameless = new Maps.Init(0, "s1", 1, "host1", 3_000_001, seat);
    assertThat(world.seat().refusal(nameless)).contains("has stopped");
  }
}
