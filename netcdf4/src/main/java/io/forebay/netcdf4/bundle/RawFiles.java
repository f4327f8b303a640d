// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4.bundle;

import io.forebay.netcdf.CreateMode;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.Coordinate;
import io.forebay.netcdf.bundle.definition.PlaneVariable;
import io.forebay.netcdf.bundle.file.BundleDraft;
import io.forebay.netcdf.bundle.file.BundleFile;
import io.forebay.netcdf.bundle.file.BundleFiles;
import io.forebay.netcdf.bundle.file.PlacedDraft;
import io.forebay.netcdf.bundle.file.PlacedFile;
import io.forebay.netcdf.bundle.file.TemporaryName;
import io.forebay.netcdf.store.PosixFile;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.netcdf4.Netcdf4File;
import io.forebay.netcdf4.Netcdf4Options;
import io.forebay.netcdf4.RawLayout;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Files that the C library defines, and whose bytes all aggregators write: every variable lies in
 * one piece at a place that the library has told.
 */
final class RawFiles implements BundleFiles {
  @Override
  public ByteOrder order() {
    return ByteOrder.nativeOrder();
  }

  @Override
  public int writersMax() {
    return Integer.MAX_VALUE;
  }

  @Override
  public BundleDraft create(Bundle bundle, String name) throws IOException {
    TemporaryName names = LibraryFiles.name(name);
    Netcdf4Options options = Netcdf4Options.standard().withMode(CreateMode.REPLACE);
    RawLayout layout = Netcdf4File.createContiguous(names.path(), bundle.header(), options);
    List<PlaneVariable> variables = bundle.variables();
    long[] places = new long[variables.size()];
    for (int i = 0; i < places.length; i++) {
      places[i] = layout.places().get(variables.get(i).index()).address();
    }
    SharedFile file = PosixFile.open(names.path(), StandardOpenOption.WRITE);
    try {
      for (Coordinate coordinate : bundle.coordinates()) {
        long place = layout.places().get(coordinate.index()).address();
        file.write(NativeValues.of(coordinate.values()), place);
      }
    } catch (IOException | RuntimeException e) {
      TemporaryName.abandon(e, file::close, names::discard);
      throw e;
    }
    return new PlacedDraft(file, variables, places, names);
  }

  @Override
  public BundleFile open(Bundle bundle, String name, long[] places) throws IOException {
    SharedFile file = PosixFile.open(LibraryFiles.name(name).path(), StandardOpenOption.WRITE);
    return new PlacedFile(file, bundle.variables(), places);
  }
}
