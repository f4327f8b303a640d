// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

import io.forebay.netcdf.driver.Meter;
import io.forebay.netcdf.driver.Meter.Quantity;
import io.forebay.netcdf.store.ForwardingFile;
import io.forebay.netcdf.store.SharedFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Counts the calls that go to a file. */
final class MeteredFile extends ForwardingFile {
  private final Meter meter;

  MeteredFile(SharedFile file, Meter meter) {
    super(file);
    this.meter = meter;
  }

  @Override
  public long read(MemorySegment target, long offset) throws IOException {
    long start = meter.nanos();
    long bytes = super.read(target, offset);
    meter.addSince(Quantity.FILE_READ_NANOS, start);
    meter.add(Quantity.FILE_READS, 1);
    meter.add(Quantity.FILE_READ_BYTES, bytes);
    return bytes;
  }

  @Override
  public void write(MemorySegment source, long offset) throws IOException {
    long start = meter.nanos();
    super.write(source, offset);
    meter.addSince(Quantity.FILE_WRITE_NANOS, start);
    meter.add(Quantity.FILE_WRITES, 1);
    meter.add(Quantity.FILE_WRITE_BYTES, source.byteSize());
  }

  @Override
  public void publish() throws IOException {
    long start = meter.nanos();
    super.publish();
    meter.addSince(Quantity.FILE_WRITE_NANOS, start);
  }

  @Override
  public void force() throws IOException {
    long start = meter.nanos();
    super.force();
    meter.addSince(Quantity.FILE_WRITE_NANOS, start);
  }
}
