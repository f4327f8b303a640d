// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.plan;

import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.Grid;
import io.forebay.netcdf.bundle.definition.PlaneVariable;
import java.util.ArrayList;
import java.util.List;

/** Cuts the planes of bundles into strips. */
final class Strips {
  private Strips() {}

  /**
   * All strips of some bundles, in the order of their files. Planes that fit are not cut.
   *
   * @param bytesMax no strip is longer
   */
  static List<Strip> of(List<Bundle> bundles, List<Integer> wanted, long bytesMax) {
    List<Strip> strips = new ArrayList<>();
    for (int bundle : wanted) {
      Bundle definition = bundles.get(bundle);
      List<PlaneVariable> variables = definition.variables();
      for (int variable = 0; variable < variables.size(); variable++) {
        PlaneVariable planes = variables.get(variable);
        List<Block> parts = cut(definition.grid(), bytesMax / planes.type().sizeBytes());
        for (long level = 0; level < planes.planes(); level++) {
          for (Block part : parts) {
            strips.add(strip(definition.grid(), bundle, variable, level, part, planes));
          }
        }
      }
    }
    return strips;
  }

  private static Strip strip(
      Grid grid, int bundle, int variable, long level, Block part, PlaneVariable planes) {
    long first = level * grid.elements() + part.row() * grid.columns() + part.column();
    return new Strip(bundle, variable, level, part, first, planes.type().sizeBytes());
  }

  /** Whole rows as many as fit, or parts of a row where not even one does. */
  private static List<Block> cut(Grid grid, long elementsMax) {
    if (elementsMax <= 0) throw new IllegalArgumentException("strips of no elements");
    List<Block> parts = new ArrayList<>();
    long rowsEach = elementsMax / grid.columns();
    for (long row = 0; row < grid.rows(); row += Math.max(1, rowsEach)) {
      if (rowsEach > 0) {
        parts.add(new Block(row, Math.min(rowsEach, grid.rows() - row), 0, grid.columns()));
        continue;
      }
      for (long column = 0; column < grid.columns(); column += elementsMax) {
        long columns = Math.min(elementsMax, grid.columns() - column);
        parts.add(new Block(row, 1, column, columns));
      }
    }
    return parts;
  }
}
