package io.forebay.netcdf.driver.direct;

import io.forebay.netcdf.driver.Meter;
import io.forebay.netcdf.driver.Meter.Quantity;
import io.forebay.netcdf.store.SharedFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Counts the calls that go to a file. */
final class MeteredFile implements SharedFile {
  private final SharedFile file;
  private final Meter meter;

  MeteredFile(SharedFile file, Meter meter) {
    this.file = file;
    this.meter = meter;
  }

  @Override
  public String name() {
    return file.name();
  }

  @Override
  public long sizeBytes() throws IOException {
    return file.sizeBytes();
  }

  @Override
  public long read(MemorySegment target, long offset) throws IOException {
    long start = meter.nanos();
    long bytes = file.read(target, offset);
    meter.addSince(Quantity.FILE_READ_NANOS, start);
    meter.add(Quantity.FILE_READS, 1);
    meter.add(Quantity.FILE_READ_BYTES, bytes);
    return bytes;
  }

  @Override
  public void write(MemorySegment source, long offset) throws IOException {
    long start = meter.nanos();
    file.write(source, offset);
    meter.addSince(Quantity.FILE_WRITE_NANOS, start);
    meter.add(Quantity.FILE_WRITES, 1);
    meter.add(Quantity.FILE_WRITE_BYTES, source.byteSize());
  }

  @Override
  public void extend(long sizeBytes) throws IOException {
    file.extend(sizeBytes);
  }

  @Override
  public void publish() throws IOException {
    long start = meter.nanos();
    file.publish();
    meter.addSince(Quantity.FILE_WRITE_NANOS, start);
  }

  @Override
  public void force() throws IOException {
    long start = meter.nanos();
    file.force();
    meter.addSince(Quantity.FILE_WRITE_NANOS, start);
  }

  @Override
  public boolean forcesForNode() {
    return file.forcesForNode();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
