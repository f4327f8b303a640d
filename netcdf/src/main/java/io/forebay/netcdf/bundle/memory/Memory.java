// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Gives a rank its buffers. */
@FunctionalInterface
public interface Memory {
  /** Memory off the heap that every thread may access. */
  MemorySegment allocate(Arena arena, long bytes);

  /** Memory that holds bytes; simulations pass messages whose memory does not exist. */
  static Memory real() {
    return (arena, bytes) -> arena.allocate(bytes, Long.BYTES);
  }
}
