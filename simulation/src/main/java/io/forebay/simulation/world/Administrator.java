// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.ring.DrainSpec;
import io.forebay.ring.RingMap;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import org.jspecify.annotations.Nullable;

/** Creates instances in a simulated cluster, and makes servers leave. */
public final class Administrator implements Handler {
  private static final long PATIENCE_NANOS = 60_000_000_000L;
  private static final long PAUSE_NANOS = 200_000_000L;
  private static final int TRIES_MAX = 100;
  private static final long STRIPE_BYTES = 64 * 1024;

  private final World world;
  private @Nullable Message answer;
  private boolean closed;

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
    RingMap map = world.map();
    // Another one for each instance: the manager answers the same request in the same way.
    long request = map == null ? 1 : map.instances().size() + map.ended().count() + 1;
    Message made =
        ask(
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
    // A duplicate request gets the same answer again.
    require(made instanceof Maps.InstanceMade, "no instance was made: " + made);
  }

  /** Asks a server to leave, and says what the manager answers. */
  public Message leave(String server) {
    return ask(new Maps.Leave(server));
  }

  /** Asks the manager that leads, and again if it leads no longer. */
  private Message ask(Message message) {
    for (int i = 0; i < TRIES_MAX; i++) {
      answer = null;
      Connection connection = connect();
      if (connection.isOpen()) connection.send(1, message);
      require(
          world.runUntil(() -> answer != null || !connection.isOpen(), PATIENCE_NANOS),
          "the manager does not answer");
      connection.close("all is done");
      Message told = answer;
      boolean over =
          told != null
              && !(told instanceof Replies.Failed failed
                  && failed.code() == ErrorCode.UNAVAILABLE
                  && world.managers().size() > 1);
      if (told != null && over) return told;
      world.runFor(PAUSE_NANOS);
    }
    throw new IllegalStateException("the managers do not answer");
  }

  private Connection connect() {
    closed = false;
    Connection connection =
        world
            .network()
            .at("administrator")
            .connect(
                world.leaderAddress(),
                Handshake.Hello.of(
                    Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 0, "administrator", 0),
                this);
    require(
        world.runUntil(() -> connection.isOpen() || closed, PATIENCE_NANOS),
        "the manager accepts no connection");
    return connection;
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
  public void closed(Connection connection, String reason) {
    closed = true;
  }
}
