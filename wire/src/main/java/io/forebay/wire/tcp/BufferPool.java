// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Direct buffers of one size, which are reused: the JVM frees a direct buffer only when the garbage
 * collector runs.
 */
final class BufferPool {
  static final int BUFFER_BYTES = 64 * 1024;

  /** As many wait for their next use; more are left to the collector. */
  private static final int IDLE_MAX = 256;

  private final ArrayDeque<ByteBuffer> idle = new ArrayDeque<>();

  ByteBuffer take() {
    ByteBuffer buffer = idle.pollLast();
    return buffer != null ? buffer.clear() : ByteBuffer.allocateDirect(BUFFER_BYTES);
  }

  void giveBack(ByteBuffer buffer) {
    if (idle.size() < IDLE_MAX) idle.addLast(buffer);
  }
}
