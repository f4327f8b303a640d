// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.ring.DrainSpec;
import io.forebay.ring.RingMap;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import org.jspecify.annotations.Nullable;

/** Creates instances in a simulated cluster, and makes servers leave. */
public final class Administrator implements Handler {
  private static final long PATIENCE_NANOS = 60_000_000_000L;
  private static final long STRIPE_BYTES = 64 * 1024;

  private final World world;
  private @Nullable Message answer;

  public Administrator(World world) {
    this.world = world;
  }

  /** Creates an instance without write protection. */
  public void createInstance(
      String name, int copies, boolean forced, String whenDegraded, DrainSpec drain) {
    createInstance(name, copies, forced, whenDegraded, drain, "");
  }

  /** Waits for the ring and creates an instance; retries as often as needed. */
  public void createInstance(
      String name,
      int copies,
      boolean forced,
      String whenDegraded,
      DrainSpec drain,
      String protection) {
    require(world.runUntil(() -> world.map() != null, PATIENCE_NANOS), "no ring was formed");
    Connection connection = connect();
    RingMap map = world.map();
    // Another one for each instance: the manager answers the same request in the same way.
    long request = map == null ? 1 : map.instances().size() + 1;
    connection.send(
        1,
        new Maps.CreateInstance(
            request,
            name,
            Identity.root(),
            "persistent",
            "shared",
            0,
            copies,
            forced,
            whenDegraded,
            "ketama",
            STRIPE_BYTES,
            0,
            drain.backing(),
            drain.policy(),
            drain.keep(),
            drain.over(),
            protection,
            "everyone",
            "squash",
            0,
            ""));
    require(world.runUntil(() -> answer != null, PATIENCE_NANOS), "the manager does not answer");
    // A duplicate request gets the same answer again.
    require(answer instanceof Maps.InstanceMade, "no instance was made: " + answer);
    connection.close("all is done");
  }

  private Connection connect() {
    Connection connection =
        world
            .network()
            .at("administrator")
            .connect(
                World.MANAGER_ADDRESS,
                Handshake.Hello.of(
                    Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 0, "administrator", 0),
                this);
    require(
        world.runUntil(connection::isOpen, PATIENCE_NANOS), "the manager accepts no connection");
    return connection;
  }

  /** Asks a server to leave, and says what the manager answers. */
  public Message leave(String server) {
    answer = null;
    Connection connection = connect();
    connection.send(1, new Maps.Leave(server));
    require(world.runUntil(() -> answer != null, PATIENCE_NANOS), "the manager does not answer");
    connection.close("all is done");
    Message told = answer;
    if (told == null) throw new IllegalStateException("no answer");
    return told;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) throw new IllegalStateException(otherwise);
  }

  @Override
  public void opened(Connection connection) {}

  @Override
  public void received(Connection connection, long request, Message message) {
    if (request == 1) answer = message;
  }

  @Override
  public Landing arriving(Connection connection, long request, Message message, int payloadBytes) {
    return Landing.DISCARD;
  }

  @Override
  public void closed(Connection connection, String reason) {}
}
