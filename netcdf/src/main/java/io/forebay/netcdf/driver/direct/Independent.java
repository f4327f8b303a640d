// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

import io.forebay.drain.reorder.Pieces;
import io.forebay.netcdf.store.SharedFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Independent reads and writes of one rank. Adjacent pieces of the file are written in one call.
 * Pieces that are near each other are read in one call, with the bytes between them (data sieving).
 * Writes never include unrequested bytes: another rank may be writing them.
 */
final class Independent implements AutoCloseable {
  /** How much is put together for one call. */
  private static final int BUFFER_BYTES = 4 << 20;

  private final SharedFile file;
  private final Scratch buffer = new Scratch();

  Independent(SharedFile file) {
    this.file = file;
  }

  void write(Pieces pieces, MemorySegment memory) throws IOException {
    int from = 0;
    while (from < pieces.count()) {
      int to = from + 1;
      long bytes = pieces.lengthBytes(from);
      long place = pieces.sourceOffset(from);
      boolean together = true;
      while (to < pieces.count()
          && pieces.offset(to) == pieces.endOffset(to - 1)
          && bytes + pieces.lengthBytes(to) <= BUFFER_BYTES) {
        together &= pieces.sourceOffset(to) == place + bytes;
        bytes += pieces.lengthBytes(to++);
      }
      // Data whose layout in memory equals that of the file is not copied.
      MemorySegment source =
          together ? memory.asSlice(place, bytes) : gathered(pieces, from, to, memory);
      file.write(source, pieces.offset(from));
      from = to;
    }
  }

  private MemorySegment gathered(Pieces pieces, int from, int to, MemorySegment memory) {
    MemorySegment gathered = buffer.take(BUFFER_BYTES);
    long at = 0;
    for (int i = from; i < to; i++) {
      MemorySegment.copy(memory, pieces.sourceOffset(i), gathered, at, pieces.lengthBytes(i));
      at += pieces.lengthBytes(i);
    }
    return gathered.asSlice(0, at);
  }

  void read(Pieces pieces, MemorySegment memory) throws IOException {
    int from = 0;
    while (from < pieces.count()) {
      int to = from + 1;
      while (to < pieces.count()
          && pieces.offset(to) - pieces.endOffset(to - 1) <= Spans.HOLE_BYTES_MAX
          && pieces.endOffset(to) - pieces.offset(from) <= BUFFER_BYTES) {
        to++;
      }
      if (to == from + 1) {
        MemorySegment target = memory.asSlice(pieces.sourceOffset(from), pieces.lengthBytes(from));
        TwoPhase.readFully(file, target, pieces.offset(from));
      } else {
        readThrough(pieces, from, to, memory);
      }
      from = to;
    }
  }

  private void readThrough(Pieces pieces, int from, int to, MemorySegment memory)
      throws IOException {
    long start = pieces.offset(from);
    MemorySegment read = buffer.take(BUFFER_BYTES).asSlice(0, pieces.endOffset(to - 1) - start);
    TwoPhase.readFully(file, read, start);
    for (int i = from; i < to; i++) {
      MemorySegment.copy(
          read, pieces.offset(i) - start, memory, pieces.sourceOffset(i), pieces.lengthBytes(i));
    }
  }

  @Override
  public void close() {
    buffer.close();
  }
}
