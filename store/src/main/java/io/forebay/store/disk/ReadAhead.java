// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import io.forebay.store.disk.Disk.ScanVisitor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * Reads a file's range in order, always one chunk ahead of the visitor, with two buffers in turn.
 * The visitor runs on the caller's thread, the reads on the executor.
 */
final class ReadAhead {
  private record Read(long position, int bytes, ByteBuffer chunk, Future<Boolean> readable) {}

  private final ExecutorService readers;
  private final OpenFile file;
  private final int chunkBytes;

  ReadAhead(ExecutorService readers, OpenFile file, int chunkBytes) {
    this.readers = readers;
    this.file = file;
    this.chunkBytes = chunkBytes;
  }

  void scan(long from, long to, ScanVisitor visitor) {
    if (from == to) return;
    int bufferBytes = (int) Math.min(chunkBytes, to - from);
    try (Arena arena = Arena.ofShared()) {
      ByteBuffer spare = arena.allocate(bufferBytes).asByteBuffer();
      Read ahead = start(from, to, arena.allocate(bufferBytes).asByteBuffer());
      try {
        while (true) {
          Read now = ahead;
          boolean readable = finish(now);
          long next = now.position + now.bytes;
          if (next < to) ahead = start(next, to, spare);
          visitor.chunk(now.position, now.bytes, readable ? now.chunk.flip() : null);
          if (next == to) return;
          spare = now.chunk;
        }
      } finally {
        // The buffers are freed with the arena, so no read into one of them may be pending.
        finish(ahead);
      }
    }
  }

  private Read start(long position, long to, ByteBuffer buffer) {
    int bytes = (int) Math.min(chunkBytes, to - position);
    buffer.clear().limit(bytes);
    return new Read(position, bytes, buffer, readers.submit(() -> read(position, buffer)));
  }

  private boolean read(long position, ByteBuffer buffer) {
    try {
      file.read(position, buffer);
      return true;
    } catch (IOException unreadable) {
      // Not lost: the visitor is shown the gap, which is all that a scan promises.
      return false;
    }
  }

  /**
   * Waits for a read, through interrupts: a read ends soon and its buffer cannot be left behind.
   */
  private static boolean finish(Read read) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return read.readable.get();
        } catch (InterruptedException interrupt) {
          interrupted = true;
        } catch (ExecutionException broken) {
          throw new IllegalStateException("read-ahead at " + read.position, broken.getCause());
        }
      }
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }
}
