// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.mode;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads and writes all of some memory. Any thread. */
final class FileBytes {
  private FileBytes() {}

  static void fill(FileChannel source, MemorySegment memory, long offset) throws IOException {
    ByteBuffer bytes = memory.asByteBuffer();
    while (bytes.hasRemaining()) {
      if (source.read(bytes, offset + bytes.position()) < 0) {
        throw new EOFException("a file ends at " + (offset + bytes.position()));
      }
    }
  }

  static void write(FileChannel target, MemorySegment memory, long offset) throws IOException {
    ByteBuffer bytes = memory.asByteBuffer();
    while (bytes.hasRemaining()) target.write(bytes, offset + bytes.position());
  }
}
