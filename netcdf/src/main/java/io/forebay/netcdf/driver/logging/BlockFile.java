package io.forebay.netcdf.driver.logging;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One rank's share of a file that several ranks write: blocks in turn, so that each rank appends to
 * what looks like a file of its own. With one rank it is a plain file.
 */
final class BlockFile implements AutoCloseable {
  static final long BLOCK_BYTES = 8 << 20;

  private final FileChannel channel;
  private final int place;
  private final int sharers;
  private @Nullable FileLock lock;

  private BlockFile(FileChannel channel, int place, int sharers) {
    this.channel = channel;
    this.place = place;
    this.sharers = sharers;
  }

  static BlockFile open(Path path, int place, int sharers, OpenOption... options)
      throws IOException {
    return new BlockFile(FileChannel.open(path, options), place, sharers);
  }

  /** Marks this share as in use until it is closed, whatever ends the process; false if it is. */
  boolean lock() throws IOException {
    try {
      lock = channel.tryLock(place * BLOCK_BYTES, 1, false);
      return lock != null;
    } catch (OverlappingFileLockException e) {
      // Another rank of this process.
      return false;
    }
  }

  void write(ByteBuffer bytes, long offset) throws IOException {
    long at = offset;
    while (bytes.hasRemaining()) {
      int step = (int) Math.min(bytes.remaining(), inBlock(at));
      ByteBuffer part = bytes.slice(bytes.position(), step);
      long target = inFile(at);
      while (part.hasRemaining()) target += channel.write(part, target);
      bytes.position(bytes.position() + step);
      at += step;
    }
  }

  /** Reads until the buffer is full or the file ends; returns whether it became full. */
  boolean read(ByteBuffer bytes, long offset) throws IOException {
    long at = offset;
    while (bytes.hasRemaining()) {
      int step = (int) Math.min(bytes.remaining(), inBlock(at));
      ByteBuffer part = bytes.slice(bytes.position(), step);
      long source = inFile(at);
      while (part.hasRemaining()) {
        int count = channel.read(part, source);
        if (count < 0) return false;
        source += count;
      }
      bytes.position(bytes.position() + step);
      at += step;
    }
    return true;
  }

  /** The same for memory of any length. */
  boolean read(MemorySegment memory, long offset) throws IOException {
    for (long at = 0; at < memory.byteSize(); at += BLOCK_BYTES) {
      long step = Math.min(BLOCK_BYTES, memory.byteSize() - at);
      if (!read(memory.asSlice(at, step).asByteBuffer(), offset + at)) return false;
    }
    return true;
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
    channel.close();
  }
}
