// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.output;

import io.forebay.netcdf.bundle.partition.Scheme;
import java.util.Arrays;
import java.util.Optional;

/** How the bundles of a step are written. */
public enum Way {
  /** One master for each bundle collects its planes, one by one, and writes them alone. */
  GEOS5_NETCDF("GEOS5-NetCDF"),
  /** All ranks write each bundle together with this library, one bundle after the other. */
  GEOS5_PNETCDF("GEOS5-PnetCDF"),
  /** The same with the C library, by a compiled program. */
  GEOS5_PNETCDF_C("GEOS5-PnetCDF-C"),
  BPS("BPS"),
  /** BPS whose roots write netCDF-4 files alone, through the C library. */
  BPS_SERIAL("BPS-serial"),
  LPS("LPS"),
  IPS("IPS"),
  /** The scheme that the library chooses for each step. */
  AUTO("auto");

  private final String word;

  Way(String word) {
    this.word = word;
  }

  /** As people write it; case does not matter. */
  public String word() {
    return word;
  }

  public static Way of(String word) {
    return Arrays.stream(values())
        .filter(each -> each.word.equalsIgnoreCase(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no way '%s', only %s"
                        .formatted(
                            word,
                            String.join(", ", Arrays.stream(values()).map(Way::word).toList()))));
  }

  /** The way of a scheme. */
  public static Way of(Scheme scheme) {
    return switch (scheme) {
      case BPS -> BPS;
      case LPS -> LPS;
      case IPS -> IPS;
    };
  }

  /** Whether groups of ranks write, each its own bundle. */
  public boolean isBundled() {
    return this == AUTO || scheme().isPresent();
  }

  /** The scheme that it always takes. */
  public Optional<Scheme> scheme() {
    return switch (this) {
      case BPS, BPS_SERIAL -> Optional.of(Scheme.BPS);
      case LPS -> Optional.of(Scheme.LPS);
      case IPS -> Optional.of(Scheme.IPS);
      case GEOS5_NETCDF, GEOS5_PNETCDF, GEOS5_PNETCDF_C, AUTO -> Optional.empty();
    };
  }
}
