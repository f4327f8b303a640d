// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging.layout;

import io.forebay.netcdf.store.SharedFile;
import io.forebay.netcdf.store.Storage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/**
 * One rank's share of a file that several ranks write: blocks in turn, so that each rank appends as
 * if to its own file. With one rank it is a plain file.
 */
public final class BlockFile implements AutoCloseable {
  public static final long BLOCK_BYTES = 8 << 20;

  private final SharedFile file;
  private final int place;
  private final int sharers;

  public BlockFile(SharedFile file, int place, int sharers) {
    this.file = file;
    this.place = place;
    this.sharers = sharers;
  }

  public static BlockFile open(Path path, int place, int sharers, OpenOption... options)
      throws IOException {
    return new BlockFile(Storage.standard().open(path, options), place, sharers);
  }

  public void write(ByteBuffer bytes, long offset) throws IOException {
    write(MemorySegment.ofBuffer(bytes), offset);
  }

  public void write(MemorySegment memory, long offset) throws IOException {
    for (long done = 0; done < memory.byteSize(); ) {
      long step = Math.min(memory.byteSize() - done, inBlock(offset + done));
      file.write(memory.asSlice(done, step), inFile(offset + done));
      done += step;
    }
  }

  /** Reads until the buffer is full or the file ends; returns whether it became full. */
  public boolean read(ByteBuffer bytes, long offset) throws IOException {
    return read(MemorySegment.ofBuffer(bytes), offset);
  }

  /** The same for memory of any length. */
  public boolean read(MemorySegment memory, long offset) throws IOException {
    for (long done = 0; done < memory.byteSize(); ) {
      long step = Math.min(memory.byteSize() - done, inBlock(offset + done));
      if (file.read(memory.asSlice(done, step), inFile(offset + done)) < step) return false;
      done += step;
    }
    return true;
  }

  /** Returns when the writes will survive this process. */
  public void publish() throws IOException {
    file.publish();
  }

  private long inBlock(long offset) {
    return sharers == 1 ? Long.MAX_VALUE : BLOCK_BYTES - offset % BLOCK_BYTES;
  }

  private long inFile(long offset) {
    if (sharers == 1) return offset;
    long block = offset / BLOCK_BYTES;
    return (block * sharers + place) * BLOCK_BYTES + offset % BLOCK_BYTES;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
