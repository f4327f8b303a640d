// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import io.forebay.netcdf.format.Variable;

/** The shape of a deflated variable's chunks. */
final class Chunk {
  /**
   * Longer planes are cut. libnetcdf has no larger cache for chunks, and a chunk outside of the
   * cache is deflated again at each write to a part of it.
   */
  static final long BYTES_MAX = 64 << 20;

  private Chunk() {}

  /** One plane of the last two dimensions, of which the slower is cut first if it is too long. */
  static long[] shape(FixedShape shape, Variable variable) {
    int rank = variable.dimensions().size();
    long[] lengths = new long[rank];
    long elementsMax = BYTES_MAX / variable.type().sizeBytes();
    for (int i = rank - 1; i >= 0; i--) {
      boolean isInPlane = i >= rank - 2;
      lengths[i] = isInPlane ? Math.max(1, Math.min(shape.length(variable, i), elementsMax)) : 1;
      elementsMax = Math.max(1, elementsMax / lengths[i]);
    }
    return lengths;
  }
}
