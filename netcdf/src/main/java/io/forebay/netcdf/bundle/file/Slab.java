// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.file;

import io.forebay.netcdf.bundle.definition.Grid;

/**
 * A part of a variable of planes that libraries write in one call: a part of a row, whole rows, or
 * whole planes.
 *
 * @param elements how many elements it has
 */
public record Slab(
    long level, long levels, long row, long rows, long column, long columns, long elements) {
  /**
   * The longest slab at the beginning of a range of elements.
   *
   * @param first the first element, counted from the start of the variable
   * @param count how many there are
   */
  public static Slab first(Grid grid, long first, long count) {
    long level = first / grid.elements();
    long inPlane = first % grid.elements();
    long row = inPlane / grid.columns();
    long column = inPlane % grid.columns();
    if (inPlane == 0 && count >= grid.elements()) {
      long levels = count / grid.elements();
      long elements = levels * grid.elements();
      return new Slab(level, levels, 0, grid.rows(), 0, grid.columns(), elements);
    }
    if (column == 0 && count >= grid.columns()) {
      long rows = Math.min(grid.rows() - row, count / grid.columns());
      return new Slab(level, 1, row, rows, 0, grid.columns(), rows * grid.columns());
    }
    long columns = Math.min(grid.columns() - column, count);
    return new Slab(level, 1, row, 1, column, columns, columns);
  }

  /** Where it begins in a variable with or without levels. */
  public long[] start(boolean hasLevels) {
    return hasLevels ? new long[] {level, row, column} : new long[] {row, column};
  }

  /** How long it is in each dimension of such a variable. */
  public long[] count(boolean hasLevels) {
    return hasLevels ? new long[] {levels, rows, columns} : new long[] {rows, columns};
  }
}
