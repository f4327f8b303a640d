// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/** A file of the operating system. */
public final class PosixFile implements SharedFile {
  private final Path path;
  private final FileChannel channel;

  private PosixFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  public static PosixFile open(Path path, OpenOption... options) throws IOException {
    return new PosixFile(path, FileChannel.open(path, options));
  }

  /** Locks one byte for this handle, until it is closed; false if another handle has locked it. */
  boolean tryLock(long offset) throws IOException {
    try {
      return channel.tryLock(offset, 1, false) != null;
    } catch (OverlappingFileLockException e) {
      // A handle of this process.
      return false;
    }
  }

  @Override
  public String name() {
    return path.toString();
  }

  @Override
  public long sizeBytes() throws IOException {
    return channel.size();
  }

  @Override
  public long read(MemorySegment target, long offset) throws IOException {
    long done = 0;
    while (done < target.byteSize()) {
      int count = channel.read(part(target, done), offset + done);
      if (count < 0) break;
      done += count;
    }
    return done;
  }

  @Override
  public void write(MemorySegment source, long offset) throws IOException {
    long done = 0;
    while (done < source.byteSize()) done += channel.write(part(source, done), offset + done);
  }

  private static ByteBuffer part(MemorySegment memory, long from) {
    long bytes = Math.min(CALL_BYTES_MAX, memory.byteSize() - from);
    return memory.asSlice(from, bytes).asByteBuffer();
  }

  @Override
  public void extend(long sizeBytes) throws IOException {
    if (channel.size() < sizeBytes) {
      // One byte at the end makes a hole before it; truncating never lengthens a file in Java.
      channel.write(ByteBuffer.allocate(1), sizeBytes - 1);
    }
  }

  @Override
  public void force() throws IOException {
    channel.force(true);
  }

  @Override
  public boolean forcesForNode() {
    // The operating system forces a file for all its writers.
    return true;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
