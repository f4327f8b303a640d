// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.BundleFormat;
import io.forebay.netcdf.bundle.definition.Grid;
import io.forebay.netcdf.format.ElementType;
import java.util.ArrayList;
import java.util.List;

/**
 * Seven bundles like those of GEOS-5. The paper gives neither their names (but <em>moist</em>, the
 * largest) nor their sizes: these shares give the group sizes of its Table I.
 */
public final class Geos5Bundles {
  private record Share(String name, int perMille) {}

  private static final List<Share> SHARES =
      List.of(
          new Share("moist", 302),
          new Share("turb", 133),
          new Share("surf", 28),
          new Share("rad", 135),
          new Share("gwd", 133),
          new Share("chem", 128),
          new Share("dyn", 141));

  /** Planes of half a degree; a plane of floats has about 1 MB. */
  public static final Grid HALF_DEGREE = new Grid("lat", 361, "lon", 576);

  /** The vertical levels of the model. */
  private static final int LEVELS = 72;

  private static final int PER_MILLE = 1000;

  private Geos5Bundles() {}

  /**
   * The bundles.
   *
   * @param planes how many planes all bundles have together, about
   */
  public static List<Bundle> of(Grid grid, int planes, BundleFormat format) {
    List<Bundle> bundles = new ArrayList<>();
    for (Share share : SHARES) {
      int own = Math.max(1, Math.round((float) planes * share.perMille / PER_MILLE));
      bundles.add(bundle(share.name, grid, own, format));
    }
    return bundles;
  }

  /** 3-D variables as far as planes suffice, and 2-D variables of the rest. */
  private static Bundle bundle(String name, Grid grid, int planes, BundleFormat format) {
    int levels = Math.min(LEVELS, Math.max(1, planes / 2));
    Bundle.Builder builder = Bundle.named(name, grid).format(format).levels("lev", levels);
    int deep = planes / levels;
    for (int i = 0; i < deep; i++) {
      builder.variable(name + "_3d_" + i, ElementType.FLOAT, "lev");
    }
    for (int i = deep * levels; i < planes; i++) {
      builder.variable(name + "_2d_" + (i - deep * levels), ElementType.FLOAT);
    }
    return builder.build();
  }
}
