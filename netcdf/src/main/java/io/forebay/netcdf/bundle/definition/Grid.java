// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.definition;

/**
 * The two dimensions of every plane of a bundle, such as latitude and longitude.
 *
 * @param rowName the name of the dimension that varies slowest in the file
 * @param columnName the name of the one that varies fastest
 */
public record Grid(String rowName, long rows, String columnName, long columns) {
  public Grid {
    if (rows <= 0 || columns <= 0) {
      throw new IllegalArgumentException(
          "a grid of %d %s and %d %s has no elements"
              .formatted(rows, rowName, columns, columnName));
    }
    Math.multiplyExact(rows, columns);
  }

  /** How many elements a plane has. */
  public long elements() {
    return rows * columns;
  }
}
