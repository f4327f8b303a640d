// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

import io.forebay.drain.reorder.Pieces;

/**
 * A rank's progress with its pieces in one aggregator's domain. Pieces are in the order of the
 * file; one that crosses the end of a window is taken in parts.
 */
final class Cursor {
  /** Takes a part of a piece. */
  @FunctionalInterface
  interface Sink {
    void part(long offset, long bytes, long memoryOffset, int age);
  }

  /** Nothing is left. */
  static final long DONE = Long.MAX_VALUE;

  private final Pieces pieces;
  private final long domainEnd;
  private int piece;
  private long offset;

  Cursor(Pieces pieces, long domainStart, long domainEnd) {
    this.pieces = pieces;
    this.domainEnd = domainEnd;
    piece = firstEndingBehind(pieces, domainStart);
    offset = piece < pieces.count() ? Math.max(domainStart, pieces.offset(piece)) : DONE;
  }

  private static int firstEndingBehind(Pieces pieces, long offset) {
    int low = 0;
    int high = pieces.count();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (pieces.endOffset(middle) > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Where the next byte is that was not taken yet. */
  long next() {
    return offset < domainEnd ? offset : DONE;
  }

  /** Takes everything up to an offset. */
  void take(long end, Sink sink) {
    long limit = Math.min(end, domainEnd);
    while (offset < limit) {
      long until = Math.min(limit, pieces.endOffset(piece));
      long memoryOffset = pieces.sourceOffset(piece) + (offset - pieces.offset(piece));
      sink.part(offset, until - offset, memoryOffset, pieces.source(piece));
      offset = until;
      if (offset == pieces.endOffset(piece)) {
        piece++;
        offset = piece < pieces.count() ? pieces.offset(piece) : DONE;
      }
    }
  }
}
