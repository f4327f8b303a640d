// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.SeatId;
import io.forebay.client.fake.SimulatedWorld;
import io.forebay.ring.Instance;
import io.forebay.wire.Address;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Statuses;
import io.forebay.wire.proof.PeerCertificate;
import io.forebay.wire.proof.PeerProof;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
    world.ring.tellAll(new Maps.ManagersAre(false, "no address", List.of()));
    world.ring.tellAll(new Maps.ManagersAre(false, "leader:7070", List.of()));
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
    world.ring.tellAll(new Maps.ManagersAre(false, "", List.of("other:7070")));
    world.pass(SECOND);
    world.network.kill("manager");
    assertThat(world.get(router.askManager(new Maps.GetMap(0), Maps.MapIs.class))).isNotNull();
  }

  /** One that is cut off from the others answers, knows no leader, and never will. */
  @Test
  void aClientLeavesAManagerThatIsOfNoUse() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
    new PlayedManager(world, "cut-off", "");
    Router router = router(world);
    world.ring.tellAll(new Maps.ManagersAre(false, "cut-off:7070", List.of("cut-off:7070")));
    world.pass(SECOND);
    assertThat(world.get(router.askManager(new Maps.GetMap(0), Maps.MapIs.class))).isNotNull();
  }

  /**
   * A manager that does not lead names the last leader until another one is elected. A client that
   * has found that leader gone stays there, and goes to the next one at once.
   */
  @Test
  void aClientWaitsForTheNextLeaderWhereItIsTold() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
    PlayedManager follower = new PlayedManager(world, "follower", "gone:7070");
    PlayedManager next = new PlayedManager(world, "next", "");
    Router router = router(world);
    world.ring.tellAll(new Maps.ManagersAre(false, "follower:7070", List.of("follower:7070")));
    world.pass(SECOND / 20);
    world.network.kill("manager");
    CompletableFuture<Access.KeysAre> asked =
        router.askManager(new Access.GetKeys(), Access.KeysAre.class);
    for (int i = 0; i < 40 && follower.opened < 3; i++) world.pass(SECOND / 10);
    world.pass(3 * SECOND / 2);
    assertThat(follower.opened).as("gone, and not dialled again").isEqualTo(3);
    assertThat(follower.asked).isPositive();
    follower.tell(false, "next:7070");
    world.pass(SECOND / 20);
    assertThat(next.opened).isEqualTo(1);
    next.serves = true;
    next.tell(true, "");
    world.pass(SECOND / 20);
    assertThat(asked).isCompleted();
  }

  /** It was asked before, and would be asked again only after a pause. */
  @Test
  void aManagerThatBeginsToLeadIsAskedAtOnceAndNotLeftForItsRefusals() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
    PlayedManager next = new PlayedManager(world, "next", "");
    Router router = router(world);
    world.ring.tellAll(new Maps.ManagersAre(false, "next:7070", List.of("next:7070")));
    world.pass(SECOND / 20);
    next.tell(true, "");
    CompletableFuture<Access.KeysAre> asked =
        router.askManager(new Access.GetKeys(), Access.KeysAre.class);
    world.pass(5 * SECOND);
    assertThat(next.opened).isEqualTo(1);
    int before = next.asked;
    next.tell(true, "");
    world.pass(SECOND / 100);
    assertThat(next.asked).isEqualTo(before + 1);
    next.serves = true;
    next.tell(true, "");
    world.pass(SECOND / 100);
    assertThat(asked).isCompleted();
  }

  /** Two that name each other are not dialled without a pause. */
  @Test
  void managersThatNameEachOtherAreDialledWithPauses() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
    PlayedManager one = new PlayedManager(world, "one", "other:7070");
    PlayedManager other = new PlayedManager(world, "other", "one:7070");
    Router router = router(world);
    world.ring.tellAll(new Maps.ManagersAre(false, "one:7070", List.of()));
    CompletableFuture<Access.KeysAre> asked =
        router.askManager(new Access.GetKeys(), Access.KeysAre.class);
    world.pass(10 * SECOND);
    assertThat(asked).isNotCompleted();
    assertThat(one.opened + other.opened).isBetween(1, 60);
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
