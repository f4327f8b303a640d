// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import io.forebay.bench.Rounds;
import io.forebay.netcdf.bundle.definition.BundleFormat;
import io.forebay.netcdf.bundle.definition.Grid;

/**
 * The scale of the measurements, unless options say otherwise. The grid is small so that a rank's
 * part of a plane is as small as with the hundreds of ranks of the paper: 361x576 floats on 128
 * ranks there and 91x144 on 8 ranks here make 6.5 KB.
 *
 * @param planes of all bundles together in each step; GEOS-5 has about a thousand
 */
record Geos5Scale(int rounds, int warmUps, Grid grid, int planes, int steps) {
  /** Two degrees. */
  private static final Grid GRID = Geos5Workload.grid(91, 144);

  private static final int PLANES = 448;
  private static final int STEPS = 8;
  private static final int QUICK_PLANES = 224;
  private static final int QUICK_STEPS = 4;

  static Geos5Scale full() {
    return new Geos5Scale(Rounds.COUNT_MIN, 1, GRID, PLANES, STEPS);
  }

  static Geos5Scale quick() {
    return new Geos5Scale(Rounds.COUNT_MIN, 0, GRID, QUICK_PLANES, QUICK_STEPS);
  }

  /** The same with as many rounds as were chosen. */
  Geos5Scale with(Geos5Options.Amount chosen) {
    return chosen.rounds() == 0
        ? this
        : new Geos5Scale(chosen.rounds(), warmUps, grid, planes, steps);
  }

  Geos5Workload workload(Geos5Options.Amount chosen, BundleFormat format) {
    return new Geos5Workload(
        chosen.rows() == 0 ? grid : Geos5Workload.grid(chosen.rows(), chosen.columns()),
        chosen.planes() == 0 ? planes : chosen.planes(),
        chosen.steps() == 0 ? steps : chosen.steps(),
        format);
  }
}
