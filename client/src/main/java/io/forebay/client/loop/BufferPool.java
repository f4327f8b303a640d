// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.loop;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Memory for writes that return before they are acknowledged. A writer that exceeds the bound waits
 * for acknowledgements. Also lends to copies. Any thread.
 */
public final class BufferPool {
  /** For handles that write little. */
  static final int SMALL_BYTES = 64 * 1024;

  private static final int UNIT_BYTES = 1024;

  /** The maximum number of returned loans that are kept for reuse. */
  private static final int SPARE_MAX = 16;

  private final Semaphore units;
  private final int largeBytes;

  /** When a buffer last came back. */
  private volatile long returnedNanos = System.nanoTime();

  private final Map<Integer, ConcurrentLinkedDeque<ByteBuffer>> free = new TreeMap<>();

  public BufferPool(long bytes, int largeBytes) {
    this.largeBytes = Math.max(SMALL_BYTES, largeBytes);
    // Room for two large ones at least, so that one can be filled while another is sent.
    long most = Math.max(bytes, 2L * this.largeBytes);
    // Fair: else threads that want little would keep one that wants much waiting.
    this.units = new Semaphore((int) Math.min(Integer.MAX_VALUE, most / UNIT_BYTES), true);
    free.put(SMALL_BYTES, new ConcurrentLinkedDeque<>());
    free.put(this.largeBytes, new ConcurrentLinkedDeque<>());
  }

  public int largeBytes() {
    return largeBytes;
  }

  /** An empty buffer of either size, or null if no buffer of any size was returned for so long. */
  @Nullable ByteBuffer take(boolean large, long timeoutNanos) {
    int bytes = large ? largeBytes : SMALL_BYTES;
    boolean interrupted = false;
    long since = System.nanoTime();
    try {
      while (true) {
        try {
          // Counted from when memory last came back: others that wait had it.
          if (returnedNanos - since > 0) since = returnedNanos;
          long left = since + timeoutNanos - System.nanoTime();
          if (units.tryAcquire(units(bytes), left, TimeUnit.NANOSECONDS)) break;
          if (returnedNanos - since <= 0) return null;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
    ByteBuffer buffer = listOf(bytes).pollFirst();
    return buffer != null ? buffer.clear() : ByteBuffer.allocateDirect(bytes);
  }

  void giveBack(ByteBuffer buffer) {
    listOf(buffer.capacity()).addFirst(buffer);
    returnedNanos = System.nanoTime();
    units.release(units(buffer.capacity()));
  }

  /**
   * A large buffer for bytes that only pass through. It does not count towards the bound for
   * writes: a copy has a bound of its own, and could not return its buffers while it waits for
   * more.
   */
  public ByteBuffer lend() {
    ByteBuffer buffer = listOf(largeBytes).pollFirst();
    return buffer != null ? buffer.clear() : ByteBuffer.allocateDirect(largeBytes);
  }

  /** Keeps the buffer for reuse: the garbage collector rarely runs where heaps are small. */
  public void takeBack(ByteBuffer lent) {
    ConcurrentLinkedDeque<ByteBuffer> spare = listOf(lent.capacity());
    if (spare.size() < SPARE_MAX) spare.addFirst(lent);
  }

  private ConcurrentLinkedDeque<ByteBuffer> listOf(int bytes) {
    ConcurrentLinkedDeque<ByteBuffer> list = free.get(bytes);
    if (list == null) throw new IllegalArgumentException("no buffers of " + bytes + " bytes here");
    return list;
  }

  private static int units(int bytes) {
    return (bytes + UNIT_BYTES - 1) / UNIT_BYTES;
  }
}
