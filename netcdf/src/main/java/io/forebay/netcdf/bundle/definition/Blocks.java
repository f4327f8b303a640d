// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.definition;

import io.forebay.parallel.Group;
import java.util.function.Function;

/** Divides planes among ranks in two dimensions, as evenly as whole rows and columns allow. */
public final class Blocks {
  private Blocks() {}

  /** This rank's block of any grid. */
  public static Function<Grid, Block> even(Group group) {
    int ranks = group.size();
    int rank = group.rank();
    return grid -> even(grid, ranks, rank);
  }

  /**
   * The block of one rank. Ranks form a grid of their own, as close to a square as their number
   * allows; more ranks than rows and columns leave some ranks without a part.
   */
  public static Block even(Grid grid, int ranks, int rank) {
    int down = (int) Math.sqrt(ranks);
    while (ranks % down != 0) down--;
    int across = ranks / down;
    long row = start(grid.rows(), down, rank / across);
    long endRow = start(grid.rows(), down, rank / across + 1);
    long column = start(grid.columns(), across, rank % across);
    long endColumn = start(grid.columns(), across, rank % across + 1);
    if (row == endRow || column == endColumn) return Block.none();
    return new Block(row, endRow - row, column, endColumn - column);
  }

  /** Where a part begins when things are divided into parts whose sizes differ by at most one. */
  private static long start(long things, int parts, int part) {
    return things / parts * part + Math.min(part, things % parts);
  }
}
