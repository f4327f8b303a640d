// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.client.fake.SimulatedWorld;
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
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One manager of several, which refuses everything until it serves. */
final class PlayedManager implements Handler {
  private final Address.Inet address;
  private final String named;
  int opened;
  int asked;
  boolean serves;
  private @Nullable Connection connection;

  /**
   * Listens.
   *
   * @param named the leader that it names to each client that connects
   */
  PlayedManager(SimulatedWorld world, String host, String named) throws IOException {
    this.address = new Address.Inet(host, 7070);
    this.named = named;
    world
        .network
        .at(host)
        .listen(address, hello -> new Handshake.Welcome(1, hello.cluster(), 1, 1), this);
  }

  void tell(boolean leads, String leader) {
    if (connection == null) return;
    connection.send(0, new Maps.ManagersAre(leads, leader, List.of(address.toString())));
  }

  @Override
  public void opened(Connection made) {
    opened++;
    connection = made;
    tell(false, named);
  }

  @Override
  public void received(Connection from, long request, Message message) {
    asked++;
    Message refusal = new Replies.Failed(ErrorCode.UNAVAILABLE, "not now");
    from.send(request, serves ? new Access.KeysAre(List.of()) : refusal);
  }

  @Override
  public Landing arriving(Connection from, long request, Message message, int payloadBytes) {
    return Landing.DISCARD;
  }

  @Override
  public void closed(Connection ended, String reason) {}
}
