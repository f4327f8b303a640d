// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.file;

import io.forebay.netcdf.bundle.definition.Bundle;

/**
 * Makes netCDF-4 files. The module {@code forebay-netcdf4} has it as a service, since it needs the
 * C library.
 */
public interface Netcdf4Provider {
  /**
   * How the files of a bundle are made.
   *
   * @param parallel whether all aggregators write the bytes of files that are not compressed; if
   *     not, the root writes through the C library
   */
  BundleFiles files(Bundle bundle, boolean parallel);
}
