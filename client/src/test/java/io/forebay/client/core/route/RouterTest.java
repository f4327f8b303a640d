// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.SeatId;
import io.forebay.client.fake.SimulatedWorld;
import io.forebay.ring.Instance;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import io.forebay.wire.message.Statuses;
import io.forebay.wire.proof.PeerCertificate;
import io.forebay.wire.proof.PeerProof;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RouterTest {
  private static final long SECOND = 1_000_000_000L;

  private static Router router(SimulatedWorld world) {
    Router router =
        new Router(
            world.config("node", "scratch", ClientConfig.Sizes.DEFAULT),
            new ClientEnvironment(
                world.timers, world.network.at("node"), world.random, warning -> {}),
            1);
    world.get(router.start());
    return router;
  }

  private static void changeMap(SimulatedWorld world, String name) {
    world.ring.addInstance(name, 1, 0, Instance.Access.SHARED, SimulatedWorld.STRIPES);
    world.pass(SECOND);
  }

  @Test
  void whoIsForgottenHearsOfNoMap() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
    Router router = router(world);
    int[] heard = {0};
    Runnable listener = () -> heard[0]++;
    router.whenMapChanges(listener);
    changeMap(world, "a");
    assertThat(heard[0]).isEqualTo(1);
    router.forget(listener);
    changeMap(world, "b");
    assertThat(heard[0]).isEqualTo(1);
  }

  @Test
  void aSessionThatEndsTakesItsListenersAlong() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
    Router router = router(world);
    Instance instance = router.maps().map().instance("scratch");
    TreeSession session = world.get(new TreeSession(router, instance, 5).begin());
    int[] over = {0};
    session.whenOver(() -> over[0]++);
    world.get(session.end());
    assertThat(over[0]).isEqualTo(1);
    session.whenOver(() -> over[0]++);
    assertThat(over[0]).isEqualTo(2);
  }

  @Test
  void aSeatThatOtherHostsCannotReachIsNamed() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
    world.ring.listenAt(world.network.at("far"), "far", new Address.Unix("/run/far"));
    changeMap(world, "a");
    Router router = router(world);
    var far = router.maps().map().seats().get(1).id();
    RequestFailed failure =
        world.failure(router.askSeat(far, new Statuses.GetStatus(), Statuses.SeatStatus.class));
    assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(failure).hasMessageContaining("listens only at unix:/run/far");
  }

  /** Makes a connection to a seat. */
  private static void askForMap(SimulatedWorld world, Router router, SeatId seat) {
    world.get(router.askSeat(seat, new Maps.GetMap(0), Maps.MapIs.class));
  }

  @Test
  void nothingIsSentToARevokedServerAnyMore() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(2, 1, 0);
    Router router = router(world);
    SeatId first = new SeatId(1);
    SeatId second = new SeatId(2);
    askForMap(world, router, first);
    askForMap(world, router, second);
    assertThat(world.ring.remotes()).hasSize(2);
    world.ring.tellAll(new Access.TrustIs(false, List.of(), List.of("server1")));
    world.pass(SECOND);
    assertThat(world.ring.remotes()).hasSize(1);
    askForMap(world, router, second);
    assertThat(world.failure(router.askSeat(first, new Maps.GetMap(0), Maps.MapIs.class)))
        .hasMessageContaining("on server server1, whose certificate is revoked");
    world.pass(60 * SECOND);
    assertThat(world.ring.remotes()).hasSize(1);

    // It has enrolled again.
    world.ring.tellAll(new Access.TrustIs(false, List.of(), List.of()));
    world.pass(SECOND);
    askForMap(world, router, first);
  }

  /** A manager that does not lead names the one that does, which the client need not know. */
  @Test
  void aClientGoesToTheManagerThatLeads() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
    world.ring.listenAsManager(world.network.at("leader"), new Address.Inet("leader", 7070));
    Router router = router(world);
    world.ring.tellAll(new Maps.ManagersAre("no address", List.of()));
    world.ring.tellAll(new Maps.ManagersAre("leader:7070", List.of()));
    world.pass(SECOND);
    world.network.kill("manager");
    world.get(router.askManager(new Maps.GetMap(0), Maps.MapIs.class));
    int[] heard = {0};
    router.whenMapChanges(() -> heard[0]++);
    changeMap(world, "a");
    assertThat(heard[0]).isEqualTo(1);
  }

  /** The manager that is named in the client's URI may be gone later. */
  @Test
  void aClientFindsManagersThatAnotherOneHasNamed() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
    world.ring.listenAsManager(world.network.at("other"), new Address.Inet("other", 7070));
    Router router = router(world);
    world.ring.tellAll(new Maps.ManagersAre("", List.of("other:7070")));
    world.pass(SECOND);
    world.network.kill("manager");
    assertThat(world.get(router.askManager(new Maps.GetMap(0), Maps.MapIs.class))).isNotNull();
  }

  /** One that is cut off from the others answers, knows no leader, and never will. */
  @Test
  void aClientLeavesAManagerThatIsOfNoUse() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
    Address.Inet cutOff = new Address.Inet("cut-off", 7070);
    Handler useless =
        new Handler() {
          @Override
          public void opened(Connection connection) {
            connection.send(0, new Maps.ManagersAre("", List.of(cutOff.toString())));
          }

          @Override
          public void received(Connection connection, long request, Message message) {
            connection.send(request, new Replies.Failed(ErrorCode.UNAVAILABLE, "not now"));
          }

          @Override
          public Landing arriving(
              Connection connection, long request, Message message, int payloadBytes) {
            return Landing.DISCARD;
          }

          @Override
          public void closed(Connection connection, String reason) {}
        };
    world
        .network
        .at(cutOff.host())
        .listen(cutOff, hello -> new Handshake.Welcome(1, hello.cluster(), 1, 1), useless);
    Router router = router(world);
    world.ring.tellAll(new Maps.ManagersAre(cutOff.toString(), List.of()));
    world.pass(SECOND);
    assertThat(world.get(router.askManager(new Maps.GetMap(0), Maps.MapIs.class))).isNotNull();
  }

  /** Two that name each other are not dialled without a pause. */
  @Test
  void managersThatNameEachOtherAreDialledWithPauses() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
    Address.Inet one = new Address.Inet("one", 7070);
    Address.Inet other = new Address.Inet("other", 7070);
    int[] dialled = {0};
    for (Address.Inet each : List.of(one, other)) {
      String named = (each.equals(one) ? other : one).toString();
      Handler follower =
          new Handler() {
            @Override
            public void opened(Connection connection) {
              dialled[0]++;
              connection.send(0, new Maps.ManagersAre(named, List.of()));
            }

            @Override
            public void received(Connection connection, long request, Message message) {}

            @Override
            public Landing arriving(
                Connection connection, long request, Message message, int payloadBytes) {
              return Landing.DISCARD;
            }

            @Override
            public void closed(Connection connection, String reason) {}
          };
      world
          .network
          .at(each.host())
          .listen(each, hello -> new Handshake.Welcome(1, hello.cluster(), 1, 1), follower);
    }
    router(world);
    world.ring.tellAll(new Maps.ManagersAre(one.toString(), List.of()));
    world.pass(10 * SECOND);
    assertThat(dialled[0]).isBetween(1, 60);
  }

  @Test
  void connectionsThatShowARevokedCertificateEnd() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
    world.network.prove(
        "host1", new PeerProof(new PeerCertificate("CN=one", List.of(), "2a"), null));
    Router router = router(world);
    askForMap(world, router, new SeatId(1));
    assertThat(world.ring.remotes()).hasSize(1);
    world.ring.tellAll(new Access.TrustIs(false, List.of(0x2aL), List.of()));
    world.pass(SECOND);
    assertThat(world.ring.remotes()).isEmpty();
  }

  @Test
  void theUserIsToldOnceThatTheClusterIsInsecure() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
    List<String> warned = new ArrayList<>();
    Router router =
        new Router(
            world.config("node", "scratch", ClientConfig.Sizes.DEFAULT),
            new ClientEnvironment(
                world.timers, world.network.at("node"), world.random, warned::add),
            1);
    world.get(router.start());
    assertThat(warned).isEmpty();
    for (int i = 0; i < 2; i++) {
      world.ring.tellAll(new Access.TrustIs(true, List.of(), List.of()));
      world.pass(SECOND);
    }
    assertThat(warned).hasSize(1);
    assertThat(warned.get(0)).contains("this cluster is insecure", "--insecure");
  }
}
