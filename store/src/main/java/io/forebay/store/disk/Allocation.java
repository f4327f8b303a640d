// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Makes a file own the blocks for all of its bytes, so that neither a write nor a store into its
 * mapping can run out of space later. The latter would not be an error but a SIGBUS. Java has no
 * fallocate, and not every file system honours it, so the blocks are really written.
 *
 * <p>Stateless but for a shared zero buffer that is only duplicated; any thread.
 */
final class Allocation {
  private static final int STRIDE_BYTES = 4 << 20;

  /** The unit of checking and writing back; strides consist of whole pages. */
  static final int PAGE_BYTES = 4096;

  /** No file system keeps holes smaller than this. */
  private static final int HOLE_BYTES_MIN = 512;

  private static final ByteBuffer ZEROS =
      ByteBuffer.allocateDirect(STRIDE_BYTES).asReadOnlyBuffer();

  private Allocation() {}

  /** Writes zeros from the start. */
  static void writeZeros(FileChannel channel, long bytes) throws IOException {
    for (long position = 0; position < bytes; position += STRIDE_BYTES) {
      int strideBytes = (int) Math.min(STRIDE_BYTES, bytes - position);
      writeFully(channel, position, ZEROS.slice(0, strideBytes));
    }
  }

  /**
   * Rewrites every page that may be or contain a hole: the pages with an empty sector. No other
   * process may write the file at the same time.
   */
  static void fillHoles(FileChannel channel, long bytes) throws IOException {
    int bufferBytes = (int) Math.min(STRIDE_BYTES, bytes);
    ByteBuffer stride = ByteBuffer.allocateDirect(bufferBytes);
    for (long position = 0; position < bytes; position += bufferBytes) {
      stride.clear().limit((int) Math.min(bufferBytes, bytes - position));
      readFully(channel, position, stride);
      fillHoles(channel, position, stride.flip());
    }
  }

  static void writeFully(FileChannel channel, long position, ByteBuffer source) throws IOException {
    long next = position;
    while (source.hasRemaining()) next += channel.write(source, next);
  }

  static void readFully(FileChannel channel, long position, ByteBuffer target) throws IOException {
    long next = position;
    while (target.hasRemaining()) {
      int bytes = channel.read(target, next);
      if (bytes < 0) throw new EOFException("file ends at or before " + next);
      next += bytes;
    }
  }

  private static void fillHoles(FileChannel channel, long position, ByteBuffer stride)
      throws IOException {
    int bytes = stride.limit();
    int runStart = 0;
    for (int page = 0; page < bytes; page += PAGE_BYTES) {
      if (mayHaveHole(stride, page)) continue;
      writeFully(channel, position + runStart, stride.slice(runStart, page - runStart));
      runStart = Math.min(page + PAGE_BYTES, bytes);
    }
    writeFully(channel, position + runStart, stride.slice(runStart, bytes - runStart));
  }

  private static boolean mayHaveHole(ByteBuffer stride, int page) {
    int pageEnd = Math.min(page + PAGE_BYTES, stride.limit());
    for (int sector = page; sector < pageEnd; sector += HOLE_BYTES_MIN) {
      int sectorBytes = Math.min(HOLE_BYTES_MIN, pageEnd - sector);
      if (stride.slice(sector, sectorBytes).equals(ZEROS.slice(0, sectorBytes))) return true;
    }
    return false;
  }
}
