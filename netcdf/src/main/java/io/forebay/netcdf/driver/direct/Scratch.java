// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Memory off the heap that is used again from call to call, for one purpose at a time. It grows on
 * demand; memory above {@link #KEPT_BYTES_MAX} is freed afterwards.
 */
public final class Scratch implements AutoCloseable {
  private static final long KEPT_BYTES_MAX = 64L << 20;
  private static final long GRAIN_BYTES = 64 << 10;

  private @Nullable Arena arena;
  private MemorySegment memory = MemorySegment.NULL;

  /** Memory of exactly that length; its content is undefined. */
  public MemorySegment take(long bytes) {
    if (bytes > memory.byteSize() || memory.byteSize() > Math.max(bytes, KEPT_BYTES_MAX)) {
      close();
      Arena fresh = Arena.ofShared();
      arena = fresh;
      memory =
          fresh.allocate(Math.ceilDiv(Math.max(1, bytes), GRAIN_BYTES) * GRAIN_BYTES, Long.BYTES);
    }
    return memory.asSlice(0, bytes);
  }

  @Override
  public void close() {
    if (arena != null) arena.close();
    arena = null;
    memory = MemorySegment.NULL;
  }
}
