// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.reorder;

/**
 * The pieces of a file, in the order of the file and without overlaps: each is a run of bytes with
 * its source. A source is a number with a meaning that the caller defines. Runs that are adjacent
 * in the file and in the same source become one piece. A snapshot of a directory is already in
 * order and is appended as it is. 24 bytes per piece.
 */
public final class Pieces {
  /** More than this do not fit. */
  public static final int COUNT_MAX = ExtentTable.COUNT_MAX;

  private final ExtentTable extents;
  private long dataBytes;
  private long endOffset;

  /**
   * An empty list.
   *
   * @param expected how many pieces there will be, as a guess
   */
  public Pieces(int expected) {
    extents = new ExtentTable(expected);
  }

  /** Adds a piece behind all others. */
  public void append(long offset, int lengthBytes, int source, long sourceOffset) {
    if (offset < endOffset) {
      throw new IllegalArgumentException("piece at " + offset + " behind one up to " + endOffset);
    }
    if (continuesLast(offset, lengthBytes, source, sourceOffset)) extents.lengthenLast(lengthBytes);
    else extents.add(offset, lengthBytes, source, sourceOffset);
    dataBytes += lengthBytes;
    endOffset = offset + lengthBytes;
  }

  private boolean continuesLast(long offset, int lengthBytes, int source, long sourceOffset) {
    int last = extents.count() - 1;
    if (last < 0 || offset != endOffset || lengthBytes <= 0) return false;
    if (offset > Long.MAX_VALUE - lengthBytes) return false;
    int lastBytes = extents.lengthBytes(last);
    return extents.source(last) == source
        && extents.sourceOffset(last) + lastBytes == sourceOffset
        && lastBytes <= Integer.MAX_VALUE - lengthBytes;
  }

  /** Frees spare capacity. */
  public void trim() {
    extents.trim();
  }

  public int count() {
    return extents.count();
  }

  public long offset(int piece) {
    return extents.offset(piece);
  }

  public int lengthBytes(int piece) {
    return extents.lengthBytes(piece);
  }

  /** The first offset behind a piece. */
  public long endOffset(int piece) {
    return extents.endOffset(piece);
  }

  public int source(int piece) {
    return extents.source(piece);
  }

  /** The offset of a piece in its source. */
  public long sourceOffset(int piece) {
    return extents.sourceOffset(piece);
  }

  /** The bytes of all pieces, without holes. */
  public long dataBytes() {
    return dataBytes;
  }

  /** The first offset behind all pieces. */
  public long endOffset() {
    return endOffset;
  }
}
