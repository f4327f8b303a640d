// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.operation;

import java.nio.ByteBuffer;

/**
 * The bytes of a write, in libfuse's buffer. They are gone when the operation returns, unless it
 * has kept them.
 */
public interface RequestBytes {
  ByteBuffer bytes();

  /**
   * The bytes stay until the returned action is run, once, by any thread; the request may be
   * answered before.
   */
  Runnable keep();
}
