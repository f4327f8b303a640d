// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.store;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.nio.ForebayFileSystemProvider;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/**
 * A file of a Forebay instance. Writes become visible to other processes when they are published;
 * ranks of this process share a client and see them before.
 */
public final class InstanceFile implements SharedFile {
  /** Memory that only one thread may access is copied by that thread, through this much. */
  private static final int COPY_BYTES = 1 << 20;

  private static final Thread OTHER_THREAD = Thread.ofPlatform().unstarted(() -> {});

  private final Path path;
  private final ForebayFile file;

  private InstanceFile(Path path, ForebayFile file) {
    this.path = path;
    this.file = file;
  }

  /** Opens a path of the file system {@code forebay:}. */
  public static InstanceFile open(Path path, OpenOption... options) throws IOException {
    Forebay client = ForebayFileSystemProvider.clientOf(path);
    return new InstanceFile(path, client.open(path.toAbsolutePath().toString(), options));
  }

  @Override
  public String name() {
    return path.toUri().toString();
  }

  @Override
  public long sizeBytes() throws IOException {
    return file.size();
  }

  @Override
  public long read(MemorySegment target, long offset) throws IOException {
    long done = 0;
    while (done < target.byteSize()) {
      MemorySegment part = part(target, done);
      boolean shared = part.isAccessibleBy(OTHER_THREAD);
      // The client's own thread fills the buffer.
      ByteBuffer buffer = shared ? part.asByteBuffer() : ByteBuffer.allocate(copyBytes(part));
      int count = file.read(buffer, offset + done);
      if (count <= 0) break;
      if (!shared) MemorySegment.copy(buffer.array(), 0, part, ValueLayout.JAVA_BYTE, 0, count);
      done += count;
    }
    return done;
  }

  private static int copyBytes(MemorySegment part) {
    return (int) Math.min(COPY_BYTES, part.byteSize());
  }

  @Override
  public void write(MemorySegment source, long offset) throws IOException {
    for (long done = 0; done < source.byteSize(); done += CALL_BYTES_MAX) {
      file.write(part(source, done).asByteBuffer(), offset + done);
    }
  }

  private static MemorySegment part(MemorySegment memory, long from) {
    return memory.asSlice(from, Math.min(CALL_BYTES_MAX, memory.byteSize() - from));
  }

  @Override
  public void extend(long sizeBytes) throws IOException {
    if (file.size() < sizeBytes) file.truncate(sizeBytes);
  }

  @Override
  public void publish() throws IOException {
    file.sync();
  }

  @Override
  public void force() throws IOException {
    // Published bytes have as many copies as the instance keeps.
    file.sync();
  }

  @Override
  public boolean forcesForNode() {
    return false;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
