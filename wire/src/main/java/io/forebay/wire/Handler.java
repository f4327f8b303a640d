// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

import io.forebay.wire.message.Message;

/** What happens on connections. Called by the loop that owns them, one call at a time. */
public interface Handler {
  /** The handshake is done: messages may be sent. */
  void opened(Connection connection);

  /** A message without a payload. */
  void received(Connection connection, long request, Message message);

  /**
   * A message whose payload is on its way: where shall it go? Nothing else arrives on this
   * connection until it has landed. What is held is asked about again after {@link
   * Connection#resume}.
   */
  Landing arriving(Connection connection, long request, Message message, int payloadBytes);

  /** The connection is over, or could not be made; told once, the last call for it. */
  void closed(Connection connection, String reason);

  /**
   * In place of {@link #closed} where a connection could not be made and trying again is of little
   * use: nobody listens there, no host has that name, or whoever is there is no such end.
   */
  default void unreachable(Connection connection, String reason) {
    closed(connection, reason);
  }
}
