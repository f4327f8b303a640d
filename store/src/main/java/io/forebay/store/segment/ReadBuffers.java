// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.segment;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Buffers for reads from the SSD, in sizes of powers of two, bounded in total and reused. */
public final class ReadBuffers {
  private static final int SMALLEST_BYTES = 16 * 1024;

  private final long bytesMax;
  private final TreeMap<Integer, ArrayDeque<ByteBuffer>> free = new TreeMap<>();
  private long bytes;

  public ReadBuffers(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** A buffer of at least this size, or null when too many are in use. */
  @Nullable ByteBuffer take(int wanted) {
    int size = Math.max(SMALLEST_BYTES, ceilingPowerOfTwo(wanted));
    ArrayDeque<ByteBuffer> pool = free.computeIfAbsent(size, s -> new ArrayDeque<>());
    ByteBuffer buffer = pool.poll();
    if (buffer == null) {
      while (bytes + size > bytesMax && dropOne()) {}
      // One that is larger than all together is given when it is the only one.
      if (bytes + size > bytesMax && bytes > 0) return null;
      bytes += size;
      buffer = ByteBuffer.allocateDirect(size);
    }
    return buffer.clear().limit(wanted);
  }

  void give(ByteBuffer buffer) {
    ArrayDeque<ByteBuffer> pool = free.get(buffer.capacity());
    if (pool == null) throw new IllegalStateException("not a buffer from here");
    pool.add(buffer);
  }

  /** Gives up a free buffer of another size. */
  private boolean dropOne() {
    for (ArrayDeque<ByteBuffer> pool : free.values()) {
      ByteBuffer dropped = pool.poll();
      if (dropped != null) {
        bytes -= dropped.capacity();
        return true;
      }
    }
    return false;
  }

  private static int ceilingPowerOfTwo(int value) {
    return value <= 1 ? 1 : Integer.highestOneBit(value - 1) << 1;
  }
}
