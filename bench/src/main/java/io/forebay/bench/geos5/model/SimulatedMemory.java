// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import io.forebay.netcdf.bundle.memory.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that has a length and no bytes, so that hundreds of ranks fit into one process. Reading or
 * writing it ends the process.
 */
final class SimulatedMemory implements Memory {
  /** No process has memory there. */
  private static final long ADDRESS = 1L << 60;

  private static final long BYTES_MAX = 1L << 50;

  @Override
  @SuppressWarnings("restricted") // Processes are started with native access.
  public MemorySegment allocate(Arena arena, long bytes) {
    if (bytes > BYTES_MAX) throw new IllegalArgumentException(bytes + " bytes");
    return MemorySegment.ofAddress(ADDRESS).reinterpret(bytes, arena, null);
  }

  /** Whether the memory has bytes. */
  static boolean isReal(MemorySegment memory) {
    return memory.address() < ADDRESS || memory.address() > ADDRESS + BYTES_MAX;
  }
}
