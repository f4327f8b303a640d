// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** A file that forwards every call; subclasses override some of them. */
public abstract class ForwardingFile implements SharedFile {
  private final SharedFile file;

  protected ForwardingFile(SharedFile file) {
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
  public void publish() throws IOException {
    file.publish();
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
  public void close() throws IOException {
    file.close();
  }
}
