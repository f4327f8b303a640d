// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.output;

import io.forebay.netcdf.bundle.BundleOptions;
import io.forebay.netcdf.bundle.BundleOptions.Netcdf4Writes;
import java.io.IOException;
import java.util.Optional;

/** Makes the output of a way. */
public final class Outputs {
  private Outputs() {}

  /**
   * Makes all ranks ready to write; collective.
   *
   * @param memoryBytes how much memory a rank of a group may use
   */
  public static StepOutput open(Way way, OutputGround ground, long memoryBytes) throws IOException {
    BundleOptions options = BundleOptions.defaults().withMemory(memoryBytes);
    Optional<BundleOptions> fixed = way.scheme().map(options::withScheme);
    return switch (way) {
      case GEOS5_NETCDF -> new MasterOutput(ground);
      case GEOS5_PNETCDF -> new CollectiveOutput(ground);
      case GEOS5_PNETCDF_C ->
          throw new IllegalArgumentException("a program in C does that, not ranks");
      case BPS, LPS, IPS, AUTO -> new BundledOutput(ground, fixed.orElse(options));
      case BPS_SERIAL ->
          new BundledOutput(ground, fixed.orElse(options).withNetcdf4(Netcdf4Writes.SERIAL));
    };
  }
}
