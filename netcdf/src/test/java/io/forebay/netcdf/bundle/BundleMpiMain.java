// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import io.forebay.netcdf.bundle.definition.Blocks;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.partition.Scheme;
import io.forebay.parallel.MpiRanks;
import java.util.List;

/** One rank that writes bundles under {@code mpirun}; see {@link BundlePlacesTest}. */
final class BundleMpiMain {
  static final int STEPS = 2;

  private BundleMpiMain() {}

  /** Arguments: the folders of files, the last one of an instance. */
  public static void main(String[] arguments) {
    List<Bundle> bundles = BundleModel.bundles();
    MpiRanks.run(
        2,
        group -> {
          for (String folder : arguments) {
            for (Scheme scheme : Scheme.values()) {
              BundleOptions options =
                  BundleOptions.defaults()
                      .withScheme(scheme)
                      .withMemory(BundleOptions.MEMORY_BYTES_MIN)
                      .withAggregators(2);
              String names = folder + "/" + scheme;
              BundleModel.write(group, bundles, Blocks.even(group), options, names, STEPS);
            }
            BundleModel.write(
                group,
                bundles,
                Blocks.even(group),
                BundleOptions.defaults(),
                folder + "/auto",
                STEPS);
          }
        });
  }
}
