// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import io.forebay.base.Bytes;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.simulation.audit.Audit;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.wire.Address;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Jobs;
import io.forebay.wire.message.Loads;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import io.forebay.wire.proof.PeerCertificate;
import io.forebay.wire.proof.PeerProof;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A user of another machine who has proved to be user 54321 and claims more: to be root, to be a
 * seat, and to be admitted after its capability was revoked; and root of a node, which claims to be
 * root through the node's agent. Seats and the manager must refuse all of it (P32).
 */
public final class Outsider extends Audit {
  private static final long PAUSE_NANOS = 500_000_000L;
  private static final String HOST = "outsider";
  private static final String NODE = "outsider-node";
  private static final String OPERATOR = "outsider-operator";
  private static final Identity WHO = new Identity(54321, List.of(54321));

  /** Its kinds of tries. */
  private enum Try {
    ROOT_WITHOUT_CAPABILITY,
    CAPABILITY,
    ROOT_WITH_CAPABILITY,
    SEAT_AT_A_SEAT,
    SEAT_AT_THE_MANAGER,
    OPERATOR,
    CAPABILITY_OF_THE_AGENT,
    ROOT_OF_A_NODE,
    REVOCATION,
    REVOKED_CAPABILITY,
    JOB,
    JOB_WITHOUT_CREDENTIAL
  }

  /** What its own user got from the manager. */
  private Bytes capability = Bytes.EMPTY;

  /** What the agent of its node got from the manager. */
  private Bytes ofAgent = Bytes.EMPTY;

  /** What its own user had when all capabilities were revoked. */
  private Bytes revoked = Bytes.EMPTY;

  /** The map that shows the revocation; 0 while it is not known to be decided. */
  private long revokedEpoch;

  /** Whether an operator has begun a job of its user. */
  private boolean hasJob;

  private final Impostor impostor;
  private long nextNanos;
  private int tries;

  // Nothing is believed before the simulation runs.
  @SuppressWarnings("this-escape")
  public Outsider(World world) {
    super(world);
    this.impostor = new Impostor(world, this::believed);
    world.network().prove(HOST, PeerProof.local(WHO));
    PeerCertificate agent = new PeerCertificate("CN=" + NODE, List.of("urn:forebay:agent:" + NODE));
    world.network().prove(NODE, new PeerProof(agent, null));
  }

  public void act(String name) {
    RingMap map = world().map();
    Instance instance = map == null ? null : map.instance(name);
    if (world().nanos() < nextNanos || map == null || instance == null) return;
    nextNanos = world().nanos() + PAUSE_NANOS;
    impostor.act(map, instance);
    Try now = Try.values()[tries++ % Try.values().length];
    Group root = map.group(instance.rootGroup());
    SeatEntry home = root == null ? null : map.seat(root.home());
    if (root == null || home == null) return;
    Address seat = new Address.Inet(home.server(), SeatNode.PORT);
    switch (now) {
      case ROOT_WITHOUT_CAPABILITY ->
          ask(seat, new Requests("root without a capability", lookUp(instance, root)));
      case CAPABILITY ->
          ask(World.MANAGER_ADDRESS, new Requests(null, new Access.GetCapability(name)));
      case ROOT_WITH_CAPABILITY ->
          ask(
              seat,
              new Requests(
                  "root with the capability of another user",
                  new Access.Present(capability),
                  lookUp(instance, root)));
      case SEAT_AT_A_SEAT ->
          ask(
              HOST,
              seat,
              Handshake.Role.SEAT,
              new Requests("a seat, at a seat", new Loads.AskLoad()));
      case SEAT_AT_THE_MANAGER ->
          ask(
              HOST,
              World.MANAGER_ADDRESS,
              Handshake.Role.SEAT,
              new Requests(
                  "a seat, at the manager",
                  new Maps.SeatReport(home.id(), home.incarnation(), map.epoch())));
      case OPERATOR ->
          ask(World.MANAGER_ADDRESS, new Requests("an operator", new Maps.Leave("no such server")));
      case CAPABILITY_OF_THE_AGENT ->
          ask(
              NODE,
              World.MANAGER_ADDRESS,
              Handshake.Role.CLIENT,
              new Requests(null, new Access.GetCapability(name)) {
                @Override
                void answered(Message message) {
                  if (message instanceof Access.CapabilityIs given) ofAgent = given.capability();
                }
              });
      case ROOT_OF_A_NODE ->
          ask(
              NODE,
              seat,
              Handshake.Role.CLIENT,
              new Requests(
                  "root, as root of a node",
                  new Access.Present(ofAgent),
                  request(
                      instance,
                      root,
                      Identity.root(),
                      new Names.CheckAccess(Names.ROOT, "", true, Names.MAY_WRITE))));
      case JOB -> beginJob();
      case JOB_WITHOUT_CREDENTIAL ->
          ask(
              World.MANAGER_ADDRESS,
              new Requests(hasJob ? "its own job" : null, new Access.GetCapability("job-" + HOST)) {
                @Override
                void answered(Message message) {}
              });
      case REVOCATION -> revoke(name);
      case REVOKED_CAPABILITY ->
          ask(
              seat,
              new Requests(
                  follows(home, revokedEpoch) ? "admitted after a revocation" : null,
                  new Access.Present(revoked),
                  request(instance, root, WHO, new Names.Lookup(Names.ROOT, "file-0", true))));
    }
  }

  /** An operator revokes all capabilities of the instance. */
  private void revoke(String name) {
    Bytes had = capability;
    revokedEpoch = 0;
    long op = world().nanos();
    ask(
        OPERATOR,
        World.MANAGER_ADDRESS,
        Handshake.Role.CLIENT,
        new Requests(null, new Maps.SetAccess(op, name, Identity.root(), "", "")) {
          @Override
          void answered(Message message) {
            RingMap map = world().map();
            if (!(message instanceof Replies.Done) || map == null) return;
            revoked = had;
            revokedEpoch = map.epoch();
          }
        });
  }

  /** An operator begins a job of its user, with an instance. */
  private void beginJob() {
    Maps.CreateInstance instance =
        new Maps.CreateInstance(
            1,
            "job-" + HOST,
            WHO,
            "job",
            "shared",
            0,
            1,
            false,
            "continue",
            "ketama",
            0,
            0,
            "",
            "",
            "",
            false,
            "",
            "owner",
            "squash",
            0,
            "");
    ask(
        OPERATOR,
        World.MANAGER_ADDRESS,
        Handshake.Role.CLIENT,
        new Requests(
            null,
            new Jobs.BeginJob(
                Identity.root(),
                HOST,
                WHO.user(),
                WHO.primaryGroup(),
                "",
                0,
                List.of(),
                List.of(),
                "",
                List.of(instance),
                Bytes.EMPTY)) {
          @Override
          void answered(Message message) {
            hasJob |= message instanceof Jobs.JobIs;
          }
        });
  }

  /** Whether a seat knows of a revocation. */
  private boolean follows(SeatEntry home, long epoch) {
    SeatNode node = world().seatAt(home.server());
    Maps.SeatReport report = node.isAlive() ? node.seat().report() : null;
    return epoch > 0 && report != null && report.ringEpoch() >= epoch;
  }

  private static Names.Request lookUp(Instance instance, Group root) {
    return request(instance, root, Identity.root(), new Names.Lookup(Names.ROOT, "file-0", true));
  }

  private static Names.Request request(
      Instance instance, Group root, Identity who, Names.Question question) {
    return new Names.Request(
        root.id(), root.epoch(), instance.id(), 0, 1, 0, 0, 0, true, who, question);
  }

  private void ask(Address to, Requests requests) {
    ask(HOST, to, Handshake.Role.CLIENT, requests);
  }

  private void ask(String from, Address to, Handshake.Role role, Requests requests) {
    world()
        .network()
        .at(from)
        .connect(to, Handshake.Hello.of(role, Handshake.Lane.CONTROL, 0, from, 1), requests);
  }

  /** Its requests; capabilities that it gets are kept. */
  private class Requests extends Claim {
    Requests(@Nullable String claim, Message... messages) {
      super(Outsider.this::believed, claim, messages);
    }

    @Override
    void answered(Message message) {
      if (message instanceof Access.CapabilityIs given) capability = given.capability();
    }
  }

  private void believed(String sentence) {
    broken("P32", sentence);
  }
}
