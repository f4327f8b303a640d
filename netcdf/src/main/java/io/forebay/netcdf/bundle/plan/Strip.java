// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.plan;

import io.forebay.netcdf.bundle.definition.Block;

/**
 * A part of one plane that lies in one piece in the file: the whole plane, some of its rows, or a
 * part of one row.
 *
 * @param bundle its number in the set
 * @param variable its place among the bundle's variables of planes
 * @param level the plane of a 3-D variable; 0 for a 2-D variable
 * @param part the rectangle of the plane
 * @param firstElement where it begins, in elements from the start of the variable
 */
public record Strip(
    int bundle, int variable, long level, Block part, long firstElement, int elementBytes) {
  public long bytes() {
    return part.elements() * elementBytes;
  }

  /** How many bytes of it a block has. */
  public long bytesOf(Block block) {
    return part.intersect(block).elements() * elementBytes;
  }

  /** Whether another strip continues this one in the file. */
  public boolean isContinuedBy(Strip next) {
    return next.bundle == bundle
        && next.variable == variable
        && next.firstElement == firstElement + part.elements();
  }
}
