// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.file;

import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.Coordinate;
import io.forebay.netcdf.data.Conversion;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.HeaderWriter;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.netcdf.store.Storage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.StandardOpenOption;

/**
 * Files of the classic formats. The place of every element follows from the definitions, so that
 * aggregators write them without talking to each other, each element once and from where it is.
 */
public final class ClassicFiles implements BundleFiles {
  private final Storage storage;
  private final long headerAlignmentBytes;

  public ClassicFiles(Storage storage, long headerAlignmentBytes) {
    this.storage = storage;
    this.headerAlignmentBytes = headerAlignmentBytes;
  }

  @Override
  public ByteOrder order() {
    return ByteOrder.BIG_ENDIAN;
  }

  @Override
  public int writersMax() {
    return Integer.MAX_VALUE;
  }

  @Override
  public BundleDraft create(Bundle bundle, String name) throws IOException {
    Header header = Layout.place(bundle.header(), headerAlignmentBytes);
    TemporaryName names = TemporaryName.of(name);
    names.check();
    SharedFile file =
        storage.open(
            names.path(),
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    try {
      file.write(MemorySegment.ofArray(HeaderWriter.write(header)), 0);
      for (Coordinate coordinate : bundle.coordinates()) {
        long begin = header.variables().get(coordinate.index()).begin();
        file.write(bigEndian(coordinate.values()), begin);
      }
      // While nobody else writes: lengthening a file writes its last byte.
      file.extend(Layout.of(header).fileBytes(0));
      file.publish();
    } catch (IOException | RuntimeException e) {
      TemporaryName.abandon(e, file::close, names::discard);
      throw e;
    }
    return new PlacedDraft(file, bundle.variables(), places(bundle, header), names);
  }

  private static MemorySegment bigEndian(Values values) {
    MemorySegment memory = MemorySegment.ofArray(new byte[(int) values.memory().byteSize()]);
    Values bytes = new Values(memory, values.type(), ByteOrder.BIG_ENDIAN);
    Conversion.copy(values, bytes);
    return bytes.memory();
  }

  private static long[] places(Bundle bundle, Header header) {
    long[] places = new long[bundle.variables().size()];
    for (int i = 0; i < places.length; i++) {
      places[i] = header.variables().get(bundle.variables().get(i).index()).begin();
    }
    return places;
  }

  @Override
  public BundleFile open(Bundle bundle, String name, long[] places) throws IOException {
    SharedFile file = storage.open(TemporaryName.of(name).path(), StandardOpenOption.WRITE);
    return new PlacedFile(file, bundle.variables(), places);
  }
}
