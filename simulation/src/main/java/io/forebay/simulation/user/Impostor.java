// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import io.forebay.base.Bytes;
import io.forebay.base.StageKeys;
import io.forebay.base.proof.AccessKey;
import io.forebay.base.proof.Capability;
import io.forebay.base.proof.Rights;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.SimulatedCredentials;
import io.forebay.simulation.world.WireTap;
import io.forebay.simulation.world.World;
import io.forebay.wire.Address;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Loads;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.proof.PeerCertificate;
import io.forebay.wire.proof.PeerProof;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Programs that have proved something, and claim what others have proved: a server that speaks for
 * the seats of others, a user that acts for root at the manager, holders of capabilities that have
 * expired or allow less, a user that stages for the owner of an instance, users with credentials
 * for another manager, and root of another machine with a credential. All of it must be refused
 * (P32).
 */
final class Impostor implements WireTap {
  private static final String USER = "impostor";
  private static final String SERVER = "impostor-server";
  private static final String STRANGER = "impostor-stranger";
  private static final Identity WHO = new Identity(54322, List.of(54322));

  /** Before the clock of any seat, whatever it jumps. */
  private static final long LONG_AGO_SECONDS = -1_000_000_000_000L;

  /** After it. */
  private static final long LATER_SECONDS = 1_000_000_000_000L;

  private static final Names.Op LOOKUP = new Names.Lookup(Names.ROOT, "file-0", true);

  private enum Try {
    SERVER_AT_A_SEAT,
    SERVER_AT_THE_MANAGER,
    ROOT_AT_THE_MANAGER,
    EXPIRED_CAPABILITY,
    RIGHT_TO_OBSERVE,
    CREDENTIAL_FOR_ANOTHER,
    CREDENTIAL_OF_ROOT,
    STAGES_OF_ANOTHER
  }

  private final World world;
  private final Consumer<String> believed;

  /** The newest key of the manager, with which it has signed what the impostor holds. */
  private @Nullable AccessKey key;

  private int tries;

  /**
   * Has tried nothing yet.
   *
   * @param believed gets a sentence for each claim that is believed
   */
  @SuppressWarnings("this-escape") // No event is traced before the simulation runs.
  Impostor(World world, Consumer<String> believed) {
    this.world = world;
    this.believed = believed;
    world.trace().tap(this);
    world.network().prove(USER, PeerProof.local(WHO));
    world.network().prove(SERVER, certified("urn:forebay:server:" + SERVER));
    world.network().prove(STRANGER, PeerProof.NONE);
    // Credentials name the certificate of the manager.
    world.network().prove(World.MANAGER_HOST, certified("urn:forebay:manager:manager"));
  }

  private static PeerProof certified(String name) {
    return new PeerProof(new PeerCertificate("CN=" + name, List.of(name)), null);
  }

  @Override
  public void sent(String from, String to, long request, Message message) {
    if (!(message instanceof Access.KeysAre keys)) return;
    for (Access.Key each : keys.keys()) {
      if (key == null || each.id() > key.id()) key = new AccessKey(each.id(), each.bytes());
    }
  }

  void act(RingMap map, Instance instance) {
    Group root = map.group(instance.rootGroup());
    SeatEntry home = root == null ? null : map.seat(root.home());
    if (root == null || home == null) return;
    Address seat = new Address.Inet(home.server(), SeatNode.PORT);
    switch (Try.values()[tries++ % Try.values().length]) {
      case SERVER_AT_A_SEAT ->
          asServer(home, seat, "a seat of another server, at a seat", new Loads.AskLoad());
      case SERVER_AT_THE_MANAGER ->
          asServer(
              home,
              World.MANAGER_ADDRESS,
              "a seat of another server, at the manager",
              new Maps.SeatReport(home.id(), home.incarnation(), map.epoch()));
      case ROOT_AT_THE_MANAGER ->
          ask(
              USER,
              World.MANAGER_ADDRESS,
              "root, at the manager",
              new Maps.DestroyInstance(world.nanos(), "no-such-instance", Identity.root()));
      case EXPIRED_CAPABILITY ->
          present(
              seat,
              instance,
              root,
              "admitted by a capability that has expired",
              Rights.READ | Rights.WRITE,
              LONG_AGO_SECONDS,
              LOOKUP);
      case RIGHT_TO_OBSERVE ->
          present(
              seat,
              instance,
              root,
              "a reader by the right to observe",
              Rights.OBSERVE,
              LATER_SECONDS,
              LOOKUP);
      // As the agent of a node holds it, which acts for the owner and for other users.
      case STAGES_OF_ANOTHER ->
          present(
              seat,
              instance,
              root,
              "an owner that stages",
              Rights.READ | Rights.WRITE | Rights.ADMINISTER | Rights.ANY_USER,
              LATER_SECONDS,
              new Names.DeletePair(StageKeys.OPEN + "1"));
      case CREDENTIAL_FOR_ANOTHER ->
          prove("a user by a credential for another manager", WHO, SimulatedCredentials.FOR_OTHERS);
      case CREDENTIAL_OF_ROOT ->
          prove(
              "root by a credential",
              Identity.root(),
              SimulatedCredentials.contentFor(world.network().bindingOf(World.MANAGER_HOST)));
    }
  }

  private void asServer(SeatEntry home, Address to, String claim, Message message) {
    Handshake.Hello hello =
        Handshake.Hello.of(
            Handshake.Role.SEAT, Handshake.Lane.CONTROL, 0, SERVER, home.id().number());
    world.network().at(SERVER).connect(to, hello, new Claim(believed, claim, message));
  }

  private void present(
      Address seat,
      Instance instance,
      Group root,
      String claim,
      int rights,
      long expiresSeconds,
      Names.Op what) {
    if (key == null) return;
    Capability held =
        new Capability(
            key.id(),
            instance.id(),
            instance.tenancy().accessEpoch(),
            WHO.user(),
            WHO.groups(),
            rights,
            expiresSeconds);
    Names.Request request =
        new Names.Request(root.id(), root.epoch(), instance.id(), 0, 1, 0, 0, 0, true, WHO, what);
    ask(USER, seat, claim, new Access.Present(key.sign(held)), request);
  }

  private void prove(String claim, Identity user, String content) {
    Bytes credential = SimulatedCredentials.of(user, content);
    ask(STRANGER, World.MANAGER_ADDRESS, claim, new Access.Prove(credential), new Maps.GetMap(0));
  }

  private void ask(String from, Address to, String claim, Message... messages) {
    Handshake.Hello hello =
        Handshake.Hello.of(Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 0, from, 1);
    world.network().at(from).connect(to, hello, new Claim(believed, claim, messages));
  }
}
