// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import java.io.IOException;

/** TLS cannot start or go on. The message is a clause for users, without the peer's address. */
public final class TlsFailure extends IOException {
  /** The kind of failure. */
  public enum Kind {
    /** The peer sent bytes that are no TLS at all. */
    NOT_TLS,
    /** The handshake failed; a retry gives the same result until an operator changes something. */
    REFUSED,
    /** The peer ended the connection without saying so. */
    INTERRUPTED,
    /** The peer broke the rules of TLS. */
    BROKEN
  }

  private static final long serialVersionUID = 1;

  private final Kind kind;

  TlsFailure(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  TlsFailure(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
