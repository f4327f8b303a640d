package io.forebay.bench.netcdf.mode;

import io.forebay.netcdf.store.SharedFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** A file that somebody else closes. One rank's thread. */
final class BorrowedFile implements SharedFile {
  private final SharedFile file;

  BorrowedFile(SharedFile file) {
    this.file = file;
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
    return file.read(target, offset);
  }

  @Override
  public void write(MemorySegment source, long offset) throws IOException {
    file.write(source, offset);
  }

  @Override
  public void extend(long sizeBytes) throws IOException {
    file.extend(sizeBytes);
  }

  @Override
  public void force() throws IOException {
    file.force();
  }

  @Override
  public boolean forcesForNode() {
    return file.forcesForNode();
  }

  @Override
  public void close() {
    // It is the owner who does.
  }
}
