// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

/** The life cycle of a connection, in this order. */
enum ConnectionState {
  /** Waits for the socket to be connected. */
  DIALLING,
  /** Waits for the link: with TLS, for its handshake. */
  SECURING,
  /** Waits for the other end's first message. */
  GREETING,
  OPEN,
  CLOSED;

  /** Whether messages can pass. */
  boolean hasLink() {
    return this == GREETING || this == OPEN;
  }

  /** Whether there is a connection whose other end has not said what it is. */
  boolean isStarting() {
    return this == SECURING || this == GREETING;
  }
}
