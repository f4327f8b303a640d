// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import io.forebay.netcdf.bundle.BundleOptions;
import io.forebay.netcdf.bundle.partition.Scheme;
import java.util.Optional;

/** The ways to write a step that are simulated. */
public enum Way {
  NETCDF("GEOS5-NetCDF"),
  PNETCDF("GEOS5-PnetCDF"),
  BPS("BPS", Scheme.BPS, Memory.ALL_AT_ONCE),
  LPS("LPS", Scheme.LPS, Memory.ALL_AT_ONCE),
  IPS("IPS", Scheme.IPS, Memory.ALL_AT_ONCE),
  BPS_PLANES("BPS, by planes", Scheme.BPS, Memory.PLANES),
  LPS_PLANES("LPS, by planes", Scheme.LPS, Memory.PLANES),
  IPS_PLANES("IPS, by planes", Scheme.IPS, Memory.PLANES),
  BPS_DEFAULT("BPS, defaults", Scheme.BPS, Memory.DEFAULT),
  LPS_DEFAULT("LPS, defaults", Scheme.LPS, Memory.DEFAULT),
  IPS_DEFAULT("IPS, defaults", Scheme.IPS, Memory.DEFAULT);

  /** How much memory ranks have for a step. */
  private enum Memory {
    /**
     * For all bundles: everything is shuffled, then gathered at one rank per group, then written.
     */
    ALL_AT_ONCE,
    /** For a plane at a time, which one rank per group gathers and writes. */
    PLANES,
    /** What the library takes, with as many writing ranks as it likes. */
    DEFAULT
  }

  private static final long WITHOUT_BOUND = 1L << 40;

  /** The library divides memory so that a window has a plane, and a member holds one. */
  private static final long FOR_PLANES = 10 << 20;

  private final String text;
  private final Optional<Scheme> scheme;
  private final Memory memory;

  Way(String text) {
    this.text = text;
    scheme = Optional.empty();
    memory = Memory.DEFAULT;
  }

  Way(String text, Scheme scheme, Memory memory) {
    this.text = text;
    this.scheme = Optional.of(scheme);
    this.memory = memory;
  }

  public String text() {
    return text;
  }

  /** How bundles are written; empty for the baselines. */
  Optional<BundleOptions> options() {
    return scheme.map(
        chosen -> {
          BundleOptions defaults = BundleOptions.defaults().withScheme(chosen);
          return switch (memory) {
            case ALL_AT_ONCE -> defaults.withMemory(WITHOUT_BOUND).withAggregators(1);
            case PLANES -> defaults.withMemory(FOR_PLANES).withAggregators(1);
            case DEFAULT -> defaults;
          };
        });
  }
}
