// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.ring.Group;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import org.junit.jupiter.api.Test;

/** A session lives as long as its client does, whatever a home could hear of it (P5). */
class LivingSessionsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int EXPIRY_SECONDS = 20;

  private final World world = new World(WorldOptions.CALM.withSeats(2, 2), 82);
  private final RawClient client = RawClient.withInstance(world, 2, false);
  private final GroupId root = client.instance().rootGroup();

  private void begin() {
    client.names(new Names.BeginSession("raw", EXPIRY_SECONDS * SECOND));
  }

  private void requireAlive() {
    assertThat(client.names(new Names.KeepAlive())).isInstanceOf(Replies.Done.class);
  }

  @Test
  void oneThatIsNotHeardOfEnds() {
    begin();
    requireAlive();
    world.runFor(2 * EXPIRY_SECONDS * SECOND);
    assertThat(client.names(new Names.KeepAlive())).isInstanceOf(Replies.Failed.class);
  }

  /** A manager that dies tells its last map to some only. */
  @Test
  void alsoIfTheClientHasANewerMapThanTheHome() {
    begin();
    Group group = client.group(root);
    for (int i = 0; i < 2 * EXPIRY_SECONDS; i++) {
      client.send(
          client.homeOf(root),
          Lane.CONTROL,
          new Names.Request(
              root,
              group.epoch() + 1,
              client.instance().id(),
              0,
              RawClient.SESSION,
              0,
              0,
              0,
              false,
              Identity.root(),
              new Names.KeepAlive()));
      world.runFor(SECOND);
    }
    requireAlive();
  }

  /** A home without leases may be cut off from its clients as it is from the others. */
  @Test
  void alsoIfTheHomeHasNoLeases() {
    begin();
    SeatNode member = world.seatAt(client.hostOf(client.group(root), 1));
    world.manager().kill();
    member.kill();
    world.runFor(2 * EXPIRY_SECONDS * SECOND);
    member.start();
    world.manager().start();
    assertThat(world.runUntil(() -> world.map() != null, 10 * SECOND)).isTrue();
    world.runFor(10 * SECOND);
    requireAlive();
  }
}
