// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

import java.nio.ByteBuffer;

/** The destination of a payload. */
public sealed interface Landing {
  /**
   * Into place.
   *
   * @param target exactly as many bytes remain as the payload has; written from its position on
   */
  record Into(ByteBuffer target, Arrival arrival) implements Landing {}

  /**
   * The payload is not wanted: its bytes are read and dropped. The handler has already answered the
   * sender.
   */
  record Discard() implements Landing {}

  /** Not now: nothing more is read from the connection until {@link Connection#resume}. */
  record Hold() implements Landing {}

  Landing DISCARD = new Discard();
  Landing HOLD = new Hold();

  /** How a landing ended; called once. */
  interface Arrival {
    /** All bytes are in place. They are not verified yet: the owner of the checksums does that. */
    void filled();

    /** The connection ended before. */
    void aborted();
  }
}
