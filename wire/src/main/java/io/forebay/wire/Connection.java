// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

import io.forebay.base.Bytes;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Message;
import io.forebay.wire.proof.PeerProof;

/**
 * One end of a connection. Used by its owner's loop only. Messages sent on one connection arrive in
 * order, each once, or not at all if the connection ends; the sender does not learn which arrived.
 */
public interface Connection {
  /** The hello of the end that dialled; known on both ends once {@link Handler#opened}. */
  Handshake.Hello hello();

  /** The answer of the listening end. */
  Handshake.Welcome welcome();

  /** The peer's address, for messages to users. */
  String remote();

  boolean isOpen();

  /** What the peer has proved, once {@link Handler#opened}. */
  default PeerProof peer() {
    return PeerProof.NONE;
  }

  /**
   * What binds a statement to the listening end of this connection: the SHA-256 of the certificate
   * that it has shown, the same at both ends; empty without TLS. Known once {@link Handler#opened}.
   */
  default Bytes channelBinding() {
    return Bytes.EMPTY;
  }

  /**
   * Queues a message. On a closed connection the message is dropped; the handler's close callback
   * comes now or later.
   *
   * @param request the number of the request, in the request and in its answer; 0 if no answer is
   *     expected
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

  /** Closes the connection; the handler is called later, not from within this call. */
  void close(String reason);
}
