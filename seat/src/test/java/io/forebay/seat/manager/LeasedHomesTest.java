// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Replies;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A group gets another home only when the one before can have no lease any more (P13). */
class LeasedHomesTest {
  private static final long LEASE_NANOS = ProtocolTimes.DEFAULT.lease().lengthNanos();
  private static final long SECOND = ManagerWorld.SECOND;
  private static final SeatId FIRST = new SeatId(1);
  private static final SeatId OTHER = new SeatId(2);
  private static final GroupId GROUP = GroupId.of(FIRST, 1);

  private ManagerWorld world;
  private List<ManagerWorld.Peer> seats;

  private Group group() {
    return world.manager.map().group(GROUP);
  }

  /**
   * A server leaves whose home is alone in its group, with a lease from the manager. As soon as
   * another holds everything it can be home; but the one before may not have heard of that yet, and
   * answers by its lease.
   */
  @Test
  void oneThatWasAloneIsHomeUntilItsLeaseHasRunOut() throws Exception {
    world = new ManagerWorld(5, new ManagerConfig(2, 30 * SECOND, 1));
    seats = world.form(2, 1);
    ManagerWorld.Peer home = seats.getFirst();
    assertThat(world.client().ask(new Maps.Leave("s1"))).isInstanceOf(Replies.Done.class);
    world.until(() -> group().indexOf(OTHER) > 0, "another member");
    Group alone = group();
    long askedNanos = world.now();
    Maps.Lease lease = new Maps.Lease(GROUP, alone.epoch(), FIRST, askedNanos);
    assertThat(home.ask(lease)).isInstanceOf(Maps.LeaseGranted.class);
    long incarnation = alone.member(OTHER).incarnation();
    assertThat(home.ask(new Maps.MemberComplete(GROUP, alone.epoch(), OTHER, incarnation)))
        .isInstanceOf(Replies.Done.class);
    assertThat(group().member(OTHER).current()).isTrue();
    assertThat(group().home()).isEqualTo(FIRST);
    world.until(() -> group().home().equals(OTHER), "another home");
    assertThat(world.now() - askedNanos).isGreaterThan(LEASE_NANOS);
  }

  private void report(int number) {
    SeatId seat = new SeatId(number);
    long incarnation = world.manager.map().seat(seat).incarnation();
    seats.get(number - 1).ask(new Maps.SeatReport(seat, incarnation, world.manager.map().epoch()));
  }

  private Maps.Suspect suspicion(SeatId seat, int by) {
    long start = world.manager.map().seat(seat).start();
    return new Maps.Suspect(seat, start, new SeatId(by), true);
  }

  /**
   * The home of a group has a lease from the manager, being alone in it, and is found silent at the
   * moment in which its last word arrives: that another holds everything too.
   */
  @Test
  void oneThatIsSilentIsHomeUntilItsLeaseHasRunOutThoughAnotherHasJustBecomeCurrent()
      throws Exception {
    world = new ManagerWorld(6, new ManagerConfig(3, 30 * SECOND, 2));
    seats = world.form(3, 1);
    GroupId id = GroupId.of(FIRST, 2);
    for (int i = 0; i < 3; i++) {
      world.pass(SECOND);
      report(1);
      report(3);
    }
    seats.getFirst().ask(suspicion(OTHER, 1));
    world.until(() -> world.manager.map().group(id).currentMembers() == 1, "one that is alone");
    for (int i = 0; i < 3; i++) {
      world.pass(SECOND);
      report(2);
      report(3);
    }
    Group alone = world.manager.map().group(id);
    assertThat(alone.home()).isEqualTo(FIRST);
    long askedNanos = world.now();
    Maps.Lease lease = new Maps.Lease(id, alone.epoch(), FIRST, askedNanos);
    long asked = seats.getFirst().send(lease);
    long incarnation = alone.member(OTHER).incarnation();
    seats.getFirst().send(new Maps.MemberComplete(id, alone.epoch(), OTHER, incarnation));
    seats.get(2).send(suspicion(FIRST, 3));
    while (world.manager.map().group(id).home().equals(FIRST)) {
      world.pass(SECOND / 10);
      report(2);
      report(3);
      assertThat(world.now() - askedNanos).isLessThan(10 * SECOND);
    }
    assertThat(seats.getFirst().answer(asked)).isInstanceOf(Maps.LeaseGranted.class);
    assertThat(world.now() - askedNanos).isGreaterThan(LEASE_NANOS);
  }
}
