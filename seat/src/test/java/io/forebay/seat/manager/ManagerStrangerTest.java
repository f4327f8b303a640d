// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.seat.manager.state.Offers;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Statuses;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A connection that says it is a seat and proves nothing: none of its messages stops the manager or
 * floods its log. Messages with the name of the cluster, which clients learn from the map, are in
 * {@link #MESSAGES_OF_SEATS}, for the check of what a peer has proved.
 */
class ManagerStrangerTest {
  private static final long SECOND = 1_000_000_000L;
  private static final GroupId GROUP = GroupId.of(new SeatId(1), 1);

  /** What showed a manager an epoch that it never made, one message each. */
  static final List<Message> MESSAGES_OF_SEATS =
      List.of(
          new Maps.GetMap(Long.MAX_VALUE),
          new Maps.SeatReport(new SeatId(1), 1, Long.MAX_VALUE),
          new Maps.Lease(GROUP, Long.MAX_VALUE, new SeatId(1), 1),
          Offers.init(1, 1, Long.MAX_VALUE, Offers.seat(1, 1, 1)));

  private ManagerWorld world;

  @BeforeEach
  void form() throws Exception {
    world = new ManagerWorld(1, new ManagerConfig(1, SECOND, 1));
    world.form(1, 1);
  }

  private void assertServes() {
    ManagerWorld.Peer client = world.client();
    Statuses.ManagerStatus status = (Statuses.ManagerStatus) client.ask(new Statuses.GetStatus());
    assertThat(status.state()).isEqualTo("serving");
    assertThat(client.ask(Offers.create("a", 1))).isInstanceOf(Maps.InstanceMade.class);
  }

  @Test
  void theHighestEpochInGetMap() {
    assertThat(world.seat().ask(MESSAGES_OF_SEATS.get(0))).isInstanceOf(Maps.MapIs.class);
    assertServes();
  }

  @Test
  void theHighestEpochInSeatReport() {
    world.seat().ask(MESSAGES_OF_SEATS.get(1));
    assertServes();
  }

  @Test
  void theHighestEpochInLease() {
    assertThat(world.seat().refusal(MESSAGES_OF_SEATS.get(2))).contains("no such epoch");
    assertServes();
  }

  @Test
  void clientsSendNoneOfThem() {
    ManagerWorld.Peer client = world.dial(Handshake.Role.CLIENT, world.manager.map().cluster());
    for (Message message : MESSAGES_OF_SEATS) client.ask(message);
    assertServes();
  }

  @Test
  void offersThatAreRefusedAreLoggedOnceInAWhile() {
    int before = world.warned.size();
    for (int i = 2; i < 100; i++) world.seat().ask(Offers.init(i, 1, 1));
    assertThat(world.warned.size() - before).isEqualTo(1);
    // The same with offers that make no sense.
    for (int i = 2; i < 100; i++) world.seat().ask(Offers.init(i, 1, 0));
    assertThat(world.warned.size() - before).isEqualTo(2);
    assertServes();
  }
}
