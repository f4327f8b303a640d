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
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Loads;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import io.forebay.wire.proof.PeerProof;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A user of another machine who has proved to be user 54321 and claims more: to be root, and to be
 * a seat. Seats and the manager must refuse all of it (P32).
 */
public final class Outsider extends Audit {
  private static final long PAUSE_NANOS = 500_000_000L;
  private static final String HOST = "outsider";
  private static final Identity WHO = new Identity(54321, List.of(54321));

  /** Its kinds of tries. */
  private enum Try {
    ROOT_WITHOUT_CAPABILITY,
    CAPABILITY,
    ROOT_WITH_CAPABILITY,
    SEAT_AT_A_SEAT,
    SEAT_AT_THE_MANAGER,
    OPERATOR
  }

  /** What its own user got from the manager. */
  private Bytes capability = Bytes.EMPTY;

  private long nextNanos;
  private int tries;

  public Outsider(World world) {
    super(world);
    world.network().prove(HOST, PeerProof.local(WHO));
  }

  public void act(String name) {
    RingMap map = world().map();
    Instance instance = map == null ? null : map.instance(name);
    if (world().nanos() < nextNanos || map == null || instance == null) return;
    nextNanos = world().nanos() + PAUSE_NANOS;
    Try now = Try.values()[tries++ % Try.values().length];
    Group root = map.group(instance.rootGroup());
    SeatEntry home = root == null ? null : map.seat(root.home());
    if (root == null || home == null) return;
    Address seat = new Address.Inet(home.server(), SeatNode.PORT);
    switch (now) {
      case ROOT_WITHOUT_CAPABILITY ->
          ask(seat, Handshake.Role.CLIENT, "root without a capability", lookUp(instance, root));
      case CAPABILITY ->
          ask(World.MANAGER_ADDRESS, Handshake.Role.CLIENT, null, new Access.GetCapability(name));
      case ROOT_WITH_CAPABILITY ->
          ask(
              seat,
              Handshake.Role.CLIENT,
              "root with the capability of another user",
              new Access.Present(capability),
              lookUp(instance, root));
      case SEAT_AT_A_SEAT ->
          ask(seat, Handshake.Role.SEAT, "a seat, at a seat", new Loads.AskLoad());
      case SEAT_AT_THE_MANAGER ->
          ask(
              World.MANAGER_ADDRESS,
              Handshake.Role.SEAT,
              "a seat, at the manager",
              new Maps.SeatReport(home.id(), home.incarnation(), map.epoch()));
      case OPERATOR ->
          ask(
              World.MANAGER_ADDRESS,
              Handshake.Role.CLIENT,
              "an operator",
              new Maps.Leave("no such server"));
    }
  }

  private static Names.Request lookUp(Instance instance, Group root) {
    Names.Lookup question = new Names.Lookup(Names.ROOT, "file-0", true);
    return new Names.Request(
        root.id(), root.epoch(), instance.id(), 0, 1, 0, 0, 0, true, Identity.root(), question);
  }

  private void ask(Address to, Handshake.Role role, @Nullable String claim, Message... messages) {
    world()
        .network()
        .at(HOST)
        .connect(
            to,
            Handshake.Hello.of(role, Handshake.Lane.CONTROL, 0, HOST, 1),
            new Requests(claim, List.of(messages)));
  }

  /** Sends its messages, and looks at the answer to the last one. */
  private final class Requests implements Handler {
    /** What it claims to be without a proof; null for nothing. */
    private final @Nullable String claim;

    private final List<Message> messages;

    Requests(@Nullable String claim, List<Message> messages) {
      this.claim = claim;
      this.messages = messages;
    }

    @Override
    public void opened(Connection connection) {
      for (int i = 0; i < messages.size(); i++) connection.send(i + 1, messages.get(i));
    }

    @Override
    public void received(Connection connection, long request, Message message) {
      if (request != messages.size()) return;
      if (message instanceof Access.CapabilityIs given) capability = given.capability();
      if (claim != null && !isRefusal(message)) {
        broken("P32", "user 54321 was believed to be " + claim + " and got " + message);
      }
      connection.close("answered");
    }

    /** Whether it was refused for lack of proof; other failures would mean that it was believed. */
    private static boolean isRefusal(Message message) {
      return message instanceof Replies.Failed failed
          && switch (failed.code()) {
            case REFUSED, UNPROVED, UNAVAILABLE, ACCESS_DENIED -> true;
            default -> false;
          };
    }

    @Override
    public Landing arriving(
        Connection connection, long request, Message message, int payloadBytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection connection, String reason) {}
  }
}
