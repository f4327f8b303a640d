// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4.bundle;

import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.file.BundleFiles;
import io.forebay.netcdf.bundle.file.Netcdf4Provider;
import io.forebay.netcdf.bundle.file.TemporaryName;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import java.io.IOException;
import java.nio.file.FileSystems;

/** Makes files through the C library: all bytes, or only their definitions. */
public final class LibraryFiles implements Netcdf4Provider {
  @Override
  public BundleFiles files(Bundle bundle, boolean parallel) {
    return parallel && bundle.deflate() == 0 ? new RawFiles() : new SerialFiles();
  }

  /** The name of a file that the library can create. */
  static TemporaryName name(String name) throws IOException {
    TemporaryName names = TemporaryName.of(name);
    if (!names.path().getFileSystem().equals(FileSystems.getDefault())) {
      throw new NetcdfException(
          NetcdfError.STORAGE,
          "'%s': the C library makes netCDF-4 files only at paths of this machine; mount the instance"
              .formatted(name));
    }
    names.check();
    return names;
  }
}
