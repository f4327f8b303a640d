// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A baseline for a store's files: of the same size, with every block written and forced before,
 * read and written by plain channel calls.
 */
final class PrewrittenFile implements AutoCloseable {
  private static final int WRITE_BYTES = Scale.MIB;

  private final FileChannel channel;
  private final long bytes;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(WRITE_BYTES);

  PrewrittenFile(Path file, long bytes) throws IOException {
    this.channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    this.bytes = bytes;
    fill(channel, bytes);
    channel.force(true);
  }

  /** Writes all blocks of a new file. */
  static void fill(FileChannel channel, long bytes) throws IOException {
    ByteBuffer ones = ByteBuffer.allocateDirect(WRITE_BYTES);
    while (ones.hasRemaining()) ones.put((byte) 1);
    for (long at = 0; at < bytes; at += WRITE_BYTES) {
      ones.clear().limit((int) Math.min(WRITE_BYTES, bytes - at));
      writeFully(channel, ones, at);
    }
  }

  /**
   * Writes as an ordinary good sequential writer does: small records are gathered in a buffer, no
   * write is shorter than a mebibyte, and a single force ends it.
   */
  void writeSequentially(Source source, int recordBytes, long records) throws IOException {
    long at = 0;
    buffer.clear();
    for (long i = 0; i < records; i++) {
      if (recordBytes >= WRITE_BYTES) {
        at += writeFully(channel, source.slice(recordBytes), at);
        continue;
      }
      buffer.put(source.slice(recordBytes));
      if (buffer.remaining() < recordBytes) {
        at += writeFully(channel, buffer.flip(), at);
        buffer.clear();
      }
    }
    writeFully(channel, buffer.flip(), at);
    channel.force(false);
  }

  /** Writes and forces one record after the other until the time is over; says how many. */
  long writeAndForceUntil(Source source, int recordBytes, long endNanos) throws IOException {
    long records = 0;
    long fitting = bytes / recordBytes;
    while (System.nanoTime() - endNanos < 0) {
      writeFully(channel, source.slice(recordBytes), records % fitting * recordBytes);
      channel.force(false);
      records++;
    }
    return records;
  }

  /** Reads this many records from the start on. */
  void readSequentially(ByteBuffer target, int recordBytes, long records) throws IOException {
    for (long i = 0; i < records; i++) {
      readFully(channel, target.clear().limit(recordBytes), i * recordBytes);
    }
  }

  static void readFully(FileChannel channel, ByteBuffer target, long position) throws IOException {
    long at = position;
    while (target.hasRemaining()) {
      int read = channel.read(target, at);
      if (read < 0) throw new EOFException("file ends at " + at);
      at += read;
    }
  }

  private static int writeFully(FileChannel channel, ByteBuffer bytes, long position)
      throws IOException {
    int length = bytes.remaining();
    long at = position;
    while (bytes.hasRemaining()) at += channel.write(bytes, at);
    return length;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
