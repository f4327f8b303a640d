// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.buffer;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Buffers of one size, which are reused: the JVM frees a direct buffer only when the garbage
 * collector runs. Connections borrow them while they have bytes to keep, so the limits on
 * connections bound how many are lent. Used by one loop's thread.
 */
public final class BufferPool {
  /**
   * The buffers of a pool.
   *
   * @param idleMax as many wait for their next use; more are left to the collector
   * @param direct whether they lie outside of the heap
   */
  public record Shape(int bufferBytes, int idleMax, boolean direct) {}

  private final Shape shape;
  private final ArrayDeque<ByteBuffer> idle = new ArrayDeque<>();

  public BufferPool(Shape shape) {
    this.shape = shape;
  }

  /** An empty buffer. */
  public ByteBuffer take() {
    ByteBuffer buffer = idle.pollLast();
    if (buffer != null) return buffer.clear();
    return shape.direct
        ? ByteBuffer.allocateDirect(shape.bufferBytes)
        : ByteBuffer.allocate(shape.bufferBytes);
  }

  public void giveBack(ByteBuffer buffer) {
    if (idle.size() < shape.idleMax) idle.addLast(buffer);
  }

  /** Buffers that wait for their next use. */
  public int idle() {
    return idle.size();
  }
}
