// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Message;

/**
 * One end of a connection. Used by its owner's loop only. Messages sent on one connection arrive in
 * order, each once, or not at all if the connection ends; nothing tells the sender which arrived.
 */
public interface Connection {
  /** What the end that dialled said of itself; known on both ends once {@link Handler#opened}. */
  Handshake.Hello hello();

  /** What the end that listens answered. */
  Handshake.Welcome welcome();

  /** Where the other end is, for messages to people. */
  String remote();

  boolean isOpen();

  /**
   * Queues a message. On a connection that is closed it vanishes, and the handler has been told or
   * will be.
   *
   * @param request names what is asked or answered; 0 for what needs no answer
   */
  void send(long request, Message message);

  /** The same with a payload, which is released when its bytes are sent or never will be. */
  void send(long request, Message message, Payload payload);

  /** Bytes queued and not yet taken by the network. */
  long queuedBytes();

  /**
   * Bytes that have come in, parts of payloads included: grows while something arrives slowly. Ends
   * inside a process move no bytes.
   */
  default long receivedBytes() {
    return 0;
  }

  /** Bytes that the network has taken, parts of payloads included. */
  default long sentBytes() {
    return 0;
  }

  /** Asks the handler again about a payload that it held. Does nothing if it holds none. */
  void resume();

  /** Stops taking messages in until {@link #start}; a payload that is landing is completed. */
  void stop();

  /** Takes messages in again. */
  void start();

  /** Ends the connection; the handler hears of it later, not from within this call. */
  void close(String reason);
}
