// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import io.forebay.netcdf.Hints;
import io.forebay.netcdf.NetcdfFiles;
import io.forebay.netcdf.bundle.BundleOptions.Netcdf4Writes;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.BundleFormat;
import io.forebay.netcdf.bundle.file.BundleFiles;
import io.forebay.netcdf.bundle.file.ClassicFiles;
import io.forebay.netcdf.bundle.file.LoggedFiles;
import io.forebay.netcdf.bundle.file.Netcdf4Provider;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import java.util.ServiceLoader;

/** Decides how the files of a bundle are made: by its format and the settings. */
final class StandardFiles {
  private StandardFiles() {}

  /**
   * How the files of a bundle are made.
   *
   * @param options with the settings of the environment
   * @param netcdf the storage of classic files
   */
  static BundleFiles of(Bundle bundle, BundleOptions options, NetcdfFiles netcdf)
      throws NetcdfException {
    Hints hints = options.hints();
    boolean isLogged = hints.logging();
    if (bundle.format() != BundleFormat.NETCDF4) {
      return isLogged
          ? new LoggedFiles(netcdf, hints)
          : new ClassicFiles(netcdf.storage(), hints.headerAlignmentBytes());
    }
    if (isLogged) {
      throw new NetcdfException(
          NetcdfError.BAD_HINT,
          "bundle '%s': netCDF-4 files are not written through a log; use CDF5, or no burst_buffer"
              .formatted(bundle.name()));
    }
    for (Netcdf4Provider provider : ServiceLoader.load(Netcdf4Provider.class)) {
      return provider.files(bundle, options.netcdf4() == Netcdf4Writes.PARALLEL);
    }
    throw new NetcdfException(
        NetcdfError.BAD_TYPE,
        "bundle '%s': netCDF-4 files need forebay-netcdf4 on the class path"
            .formatted(bundle.name()));
  }
}
