// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import io.forebay.netcdf.data.Conversion;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Memory of a fixed size to which the elements of posted writes are copied, so that the program may
 * reuse its own memory at once. Space that is freed at the end is reused at once; space before that
 * is reused when everything behind it is free, too. One thread at a time.
 */
final class PutBuffer implements AutoCloseable {
  /** Elements of a request, until it is done. */
  static final class Piece {
    private final long start;
    private boolean isFree;

    private Piece(long start) {
      this.start = start;
    }
  }

  /** A request whose elements are in the buffer. */
  record Copied(Transfer transfer, Piece piece) {}

  /** Keeps elements of every type aligned. */
  private static final long ALIGNMENT_BYTES = Long.BYTES;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final Deque<Piece> pieces = new ArrayDeque<>();
  private long usedBytes;

  PutBuffer(long sizeBytes) {
    memory = arena.allocate(sizeBytes, ALIGNMENT_BYTES);
  }

  long sizeBytes() {
    return memory.byteSize();
  }

  /** How much is in use, including free space in front of it. */
  long usedBytes() {
    return usedBytes;
  }

  /** Copies the elements of a request. */
  Copied copy(Transfer transfer) throws NetcdfException {
    Values values = transfer.values();
    long bytes = values.memory().byteSize();
    if (bytes > sizeBytes() - usedBytes) {
      throw new NetcdfException(
          NetcdfError.BUFFER,
          "%d bytes do not fit the buffer of %d, of which %d are in use; wait for some requests"
              .formatted(bytes, sizeBytes(), usedBytes));
    }
    Piece piece = new Piece(usedBytes);
    Values copy = new Values(memory.asSlice(usedBytes, bytes), values.type(), values.order());
    Conversion.copy(values, copy);
    pieces.addLast(piece);
    long end = Math.ceilDiv(usedBytes + bytes, ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
    usedBytes = Math.min(sizeBytes(), end);
    return new Copied(
        new Transfer(transfer.variable(), transfer.parts(), copy, transfer.age()), piece);
  }

  void free(Piece piece) {
    piece.isFree = true;
    while (!pieces.isEmpty() && pieces.getLast().isFree) usedBytes = pieces.removeLast().start;
  }

  boolean isEmpty() {
    return pieces.isEmpty();
  }

  @Override
  public void close() {
    arena.close();
  }
}
