// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Message;

/** One request to the manager, sent once; the map shows whether it was granted. */
public final class ManagerRequest implements Handler {
  private final Message message;

  private ManagerRequest(Message message) {
    this.message = message;
  }

  /** Sends a request from a host that has no other part in the world. */
  public static void send(World world, String host, Message message) {
    world
        .network()
        .at(host)
        .connect(
            world.leaderAddress(),
            Handshake.Hello.of(Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 0, host, 0),
            new ManagerRequest(message));
  }

  @Override
  public void opened(Connection connection) {
    connection.send(1, message);
  }

  @Override
  public void received(Connection connection, long request, Message answer) {
    if (request == 1) connection.close("answered");
  }

  @Override
  public Landing arriving(Connection connection, long request, Message message, int payloadBytes) {
    return Landing.DISCARD;
  }

  @Override
  public void closed(Connection connection, String reason) {}
}
