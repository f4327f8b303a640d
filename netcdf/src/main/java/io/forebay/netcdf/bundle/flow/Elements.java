// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import io.forebay.netcdf.bundle.definition.Block;
import java.lang.foreign.MemorySegment;

/**
 * Moves elements between the program's memory, messages and planes. Simulations move none and take
 * the time that it would need.
 */
public interface Elements {
  /**
   * Packs a part of a plane that this rank has, row behind row.
   *
   * @param variable its place among the bundle's variables of planes
   * @param level the plane of a 3-D variable
   * @param part within this rank's block
   * @param target as long as the part
   */
  void pack(int bundle, int variable, long level, Block part, MemorySegment target);

  /**
   * Copies a packed part to where it belongs in a larger rectangle.
   *
   * @param whole the rectangle that the target holds; the part is within it
   */
  void place(MemorySegment packed, Block part, MemorySegment target, Block whole, int elementBytes);

  /** Copies packed bytes to memory of the same length. */
  void copy(MemorySegment source, MemorySegment target);
}
