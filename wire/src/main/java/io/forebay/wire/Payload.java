// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

import java.nio.ByteBuffer;

/** Bytes to send, which must not change until they are released. */
public interface Payload {
  /** The bytes between position and limit; the network takes its own view of them. */
  ByteBuffer bytes();

  /** Called once, on the loop that sent it. */
  void release();

  /** Bytes without an owner to notify. */
  static Payload of(ByteBuffer bytes) {
    return of(bytes, () -> {});
  }

  /** Bytes with a callback for their release. */
  static Payload of(ByteBuffer bytes, Runnable released) {
    return new Payload() {
      @Override
      public ByteBuffer bytes() {
        return bytes;
      }

      @Override
      public void release() {
        released.run();
      }
    };
  }
}
