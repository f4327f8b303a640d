// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import io.forebay.bench.geos5.output.BundlePattern;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.BundleFormat;
import io.forebay.netcdf.bundle.definition.Grid;
import java.util.List;

/**
 * What is written.
 *
 * @param planes of all bundles together in each step, about
 */
record Geos5Workload(Grid grid, int planes, int steps, BundleFormat format) {
  private static final String SEPARATOR = ",";

  /** A grid of latitudes and longitudes. */
  static Grid grid(long rows, long columns) {
    Grid usual = Geos5Bundles.HALF_DEGREE;
    return new Grid(usual.rowName(), rows, usual.columnName(), columns);
  }

  List<Bundle> bundles() {
    return Geos5Bundles.of(grid, planes, format);
  }

  BundlePattern pattern(int ranks) {
    return new BundlePattern(ranks, bundles(), steps);
  }

  Geos5Workload withSteps(int count) {
    return new Geos5Workload(grid, planes, count, format);
  }

  /** How many bytes the planes of one step have. */
  long stepBytes() {
    return bundles().stream().mapToLong(Bundle::planeBytes).sum();
  }

  long totalBytes() {
    return steps * stepBytes();
  }

  String toText() {
    return String.join(
        SEPARATOR,
        Long.toString(grid.rows()),
        Long.toString(grid.columns()),
        Integer.toString(planes),
        Integer.toString(steps),
        format.name());
  }

  static Geos5Workload parse(String text) {
    List<String> words = List.of(text.split(SEPARATOR, -1));
    return new Geos5Workload(
        grid(Long.parseLong(words.get(0)), Long.parseLong(words.get(1))),
        Integer.parseInt(words.get(2)),
        Integer.parseInt(words.get(3)),
        BundleFormat.valueOf(words.get(4)));
  }
}
