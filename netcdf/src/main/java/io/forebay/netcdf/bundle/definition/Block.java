// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.definition;

/**
 * A rectangle of a plane: the part that one rank has, or a part of that.
 *
 * @param row the first row
 * @param rows how many; 0 for an empty block
 */
public record Block(long row, long rows, long column, long columns) {
  private static final Block NONE = new Block(0, 0, 0, 0);

  public Block {
    if (row < 0 || rows < 0 || column < 0 || columns < 0) {
      throw new IllegalArgumentException(
          "a block of rows %d+%d and columns %d+%d".formatted(row, rows, column, columns));
    }
  }

  /** The block of a rank that has no part of the planes. */
  public static Block none() {
    return NONE;
  }

  public long elements() {
    return rows * columns;
  }

  public boolean isEmpty() {
    return rows == 0 || columns == 0;
  }

  /** What this block and another have in common. */
  public Block intersect(Block other) {
    long firstRow = Math.max(row, other.row);
    long endRow = Math.min(row + rows, other.row + other.rows);
    long firstColumn = Math.max(column, other.column);
    long endColumn = Math.min(column + columns, other.column + other.columns);
    if (firstRow >= endRow || firstColumn >= endColumn) return NONE;
    return new Block(firstRow, endRow - firstRow, firstColumn, endColumn - firstColumn);
  }

  @Override
  public String toString() {
    return "rows %d to %d, columns %d to %d"
        .formatted(row, row + rows - 1, column, column + columns - 1);
  }
}
