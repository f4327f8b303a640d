// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4.bundle;

import io.forebay.netcdf.CreateMode;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.Coordinate;
import io.forebay.netcdf.bundle.definition.PlaneVariable;
import io.forebay.netcdf.bundle.file.BundleDraft;
import io.forebay.netcdf.bundle.file.BundleFile;
import io.forebay.netcdf.bundle.file.BundleFiles;
import io.forebay.netcdf.bundle.file.SlabDraft;
import io.forebay.netcdf.bundle.file.TemporaryName;
import io.forebay.netcdf4.Netcdf4File;
import io.forebay.netcdf4.Netcdf4Options;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/** Files that the root alone writes, through the C library; compressed ones too. */
final class SerialFiles implements BundleFiles {
  @Override
  public ByteOrder order() {
    return ByteOrder.nativeOrder();
  }

  @Override
  public int writersMax() {
    return 1;
  }

  @Override
  public BundleDraft create(Bundle bundle, String name) throws IOException {
    TemporaryName names = LibraryFiles.name(name);
    Netcdf4Options options =
        Netcdf4Options.standard().withMode(CreateMode.REPLACE).withDeflateLevel(bundle.deflate());
    Netcdf4File file = Netcdf4File.create(names.path(), bundle.header(), options);
    try {
      for (Coordinate coordinate : bundle.coordinates()) {
        MemorySegment values = NativeValues.of(coordinate.values());
        long[] count = {coordinate.values().count()};
        file.write(coordinate.index(), new long[1], count, values);
      }
    } catch (IOException | RuntimeException e) {
      TemporaryName.abandon(e, file::close, names::discard);
      throw e;
    }
    return new Draft(file, bundle, names);
  }

  @Override
  public BundleFile open(Bundle bundle, String name, long[] places) {
    throw new IllegalStateException("the C library writes for one rank");
  }

  private static final class Draft extends SlabDraft {
    private final Netcdf4File file;

    Draft(Netcdf4File file, Bundle bundle, TemporaryName names) {
      super(bundle, names);
      this.file = file;
    }

    @Override
    protected void put(PlaneVariable variable, long[] start, long[] count, MemorySegment bytes)
        throws IOException {
      file.write(variable.index(), start, count, bytes);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
