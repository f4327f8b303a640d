// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.definition;

import io.forebay.netcdf.format.Format;

/** The formats that a bundle's files can have. */
public enum BundleFormat {
  CDF1(Format.CDF1),
  CDF2(Format.CDF2),
  CDF5(Format.CDF5),
  /** HDF5 underneath; needs the module {@code forebay-netcdf4} and the C library. */
  NETCDF4(Format.CDF5);

  private final Format definitions;

  BundleFormat(Format definitions) {
    this.definitions = definitions;
  }

  /** The classic format whose rules for names and types hold. */
  public Format definitions() {
    return definitions;
  }
}
