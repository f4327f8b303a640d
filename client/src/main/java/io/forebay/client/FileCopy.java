// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.client.failure.FileRefusedException;
import io.forebay.client.loop.BufferPool;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/**
 * Copies a range from one open file to another through this client, several pieces at a time. Holes
 * stay holes. Used by one thread.
 */
final class FileCopy {
  /** The maximum number of pieces that are copied at once. */
  private static final int PIECES_MAX = 8;

  /** Shorter holes are copied as zeros, which is cheaper than punching a hole. */
  private static final long HOLE_BYTES_MIN = 1024 * 1024;

  private record Flight(CompletableFuture<Void> done, ByteBuffer buffer) {}

  private final ForebayFile source;
  private final ForebayFile target;
  private final ArrayDeque<Flight> flying = new ArrayDeque<>();
  private final BufferPool memory;

  FileCopy(ForebayFile source, ForebayFile target, BufferPool memory) {
    this.source = source;
    this.target = target;
    this.memory = memory;
  }

  /** Copies up to the end of the source; returns the number of bytes. */
  long copy(long offset, long targetOffset, long lengthBytes) throws IOException {
    long end = Math.min(source.size(), offset + lengthBytes);
    if (offset >= end) return 0;
    boolean overlaps =
        source.number() == target.number()
            && offset < targetOffset + lengthBytes
            && targetOffset < offset + lengthBytes;
    if (overlaps) {
      throw new FileRefusedException(
          source.path(), ErrorCode.INVALID, "the ranges of the copy overlap");
    }
    long shift = targetOffset - offset;
    try {
      for (long at = offset; at < end; ) {
        long data = source.seekData(at);
        long hole = data < 0 || data > end ? end - at : data - at;
        if (hole >= HOLE_BYTES_MIN) {
          target.zero(at + shift, hole, false);
          at += hole;
        } else {
          at = copyData(at, Math.min(end, dataEnd(at + hole, end)), shift);
        }
      }
    } finally {
      // Buffers are in use until then.
      while (!flying.isEmpty()) land();
    }
    return end - offset;
  }

  private long dataEnd(long at, long end) throws IOException {
    long hole = at < end ? source.seekHole(at) : end;
    return hole < 0 ? end : hole;
  }

  private long copyData(long from, long to, long shift) throws IOException {
    for (long at = from; at < to; ) {
      int bytes = (int) Math.min(memory.largeBytes(), to - at);
      if (flying.size() == PIECES_MAX) land();
      ByteBuffer buffer = memory.lend().limit(bytes);
      long target = at + shift;
      flying.add(new Flight(start(buffer, at, target), buffer));
      at += bytes;
    }
    return to;
  }

  private CompletableFuture<Void> start(ByteBuffer buffer, long from, long to) {
    int bytes = buffer.remaining();
    return source
        .readAsync(buffer, from)
        .thenCompose(
            count -> {
              // Another client truncated the file during the copy: the missing bytes read as zeros.
              for (int i = Math.max(0, count); i < bytes; i++) buffer.put(i, (byte) 0);
              buffer.position(0).limit(bytes);
              return target.writeAsync(buffer, to);
            });
  }

  private void land() throws IOException {
    Flight oldest = flying.remove();
    target.await(oldest.done());
    memory.takeBack(oldest.buffer());
  }
}
