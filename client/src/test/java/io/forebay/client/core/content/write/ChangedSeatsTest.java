// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.client.core.ClientCore;
import io.forebay.client.core.OpenFile;
import io.forebay.client.core.route.ClientConfig;
import io.forebay.client.core.route.ClientEnvironment;
import io.forebay.client.core.route.Router;
import io.forebay.client.core.route.TreeSession;
import io.forebay.client.fake.SimulatedWorld;
import io.forebay.ring.Instance;
import io.forebay.ring.Placements;
import io.forebay.ring.RingMap;
import io.forebay.wire.Address;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Seats join, leave, and change their places in groups while a client writes and reads. */
class ChangedSeatsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Identity ROOT = Identity.root();

  private static GroupId group(int origin) {
    return GroupId.of(new SeatId(origin), 1);
  }

  /** Also in a session that began before. */
  @Test
  void aGroupMayNameOneOfAServerThatJoinedAndNoneOfOneThatLeft() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(2, 1, 0);
    Router router =
        new Router(
            world.config("node", "scratch", ClientConfig.Sizes.DEFAULT),
            new ClientEnvironment(
                world.timers, world.network.at("node"), world.random, warning -> {}),
            1);
    RingMap before = world.get(router.start());
    TreeSession session = world.get(new TreeSession(router, before.instance("scratch"), 5).begin());
    Writer writer =
        new Writer(
            router,
            session,
            () -> {
              RingMap map = router.maps().map();
              return Placements.of(map.instance("scratch"), map, 1);
            });
    assertThat(writer.takes(group(1))).isTrue();
    assertThat(writer.takes(group(3))).isFalse();
    world.ring.listenAt(world.network.at("host3"), "host3", new Address.Inet("cluster", 0));
    world.ring.spread(List.of(new SeatId(2), new SeatId(3)));
    world.pass(SECOND);
    assertThat(router.maps().map().group(group(1))).as("what it has can be read").isNotNull();
    assertThat(writer.takes(group(1))).isFalse();
    assertThat(writer.takes(group(2))).isTrue();
    assertThat(writer.takes(group(3))).isTrue();
  }

  @Test
  void everyMemberIsAskedForARecordAlsoIfTheirOrderChangesMeanwhile() throws IOException {
    // The new order is heard of before or after an answer, as it happens.
    for (long seed = 1; seed <= 10; seed++) readWhileTheOrderChanges(seed);
  }

  private static void readWhileTheOrderChanges(long seed) throws IOException {
    SimulatedWorld world = new SimulatedWorld(3, seed);
    world.ring.addInstance("scratch", 3, 0, Instance.Access.SHARED, SimulatedWorld.STRIPES);
    ClientCore client = world.started("node");
    OpenFile file =
        world.get(
            client.open(
                ROOT, root -> new Names.Open(root, "data", true, true, true, false, false, 0644)));
    byte[] bytes = new byte[1000];
    bytes[500] = 5;
    file.write(file.layout().cut(ByteBuffer.wrap(bytes), 0), 0, false);
    world.get(file.sync());
    SeatId last = world.ring.map().group(homeOf(world)).members().get(2).seat();
    boolean[] changed = {false};
    world.ring.meddle(
        (seat, request) -> {
          if (!(request instanceof Data.Get) || seat.equals(last)) return null;
          if (!changed[0]) world.ring.rotate();
          changed[0] = true;
          return new Replies.Failed(ErrorCode.CORRUPT, "damaged here");
        });
    ByteBuffer back = ByteBuffer.allocate(bytes.length);
    assertThat(world.get(file.read(0, back))).as("seed %d", seed).isEqualTo(bytes.length);
    assertThat(back.array()).isEqualTo(bytes);
  }

  /** The group of the only record. */
  private static GroupId homeOf(SimulatedWorld world) {
    return world.ring.received.stream()
        .filter(Data.Put.class::isInstance)
        .map(put -> ((Data.Put) put).group())
        .findFirst()
        .orElseThrow();
  }
}
