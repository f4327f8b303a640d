// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

import io.forebay.wire.message.Message;

/** Callbacks of connections. Called by the loop that owns them, one call at a time. */
public interface Handler {
  /** The handshake is done: messages may be sent. */
  void opened(Connection connection);

  /** A message without a payload. */
  void received(Connection connection, long request, Message message);

  /** The reason of an address without a listener ends with these words. */
  String NO_LISTENER = "no process listens there (connection refused)";

  /**
   * A message with a payload is arriving: returns where the payload goes. Nothing else arrives on
   * this connection until the payload has landed. A held payload is offered again after {@link
   * Connection#resume}.
   */
  Landing arriving(Connection connection, long request, Message message, int payloadBytes);

  /** The connection is over, or could not be made; called once, as the last call for it. */
  void closed(Connection connection, String reason);

  /**
   * Called instead of {@link #closed} if a connection could not be made and a retry is of little
   * use: no process listens there, no host has that name, or the listener speaks another protocol.
   */
  default void unreachable(Connection connection, String reason) {
    closed(connection, reason);
  }
}
