// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.write;

import io.forebay.base.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which unpublished piece each byte of a file comes from: the one placed last. Pieces may overlap;
 * the table's entries do not.
 */
public final class PieceTable {
  /** A run of bytes of one piece. */
  public record Part(long offset, int lengthBytes, Piece piece, int pieceOffset) {
    public long endOffset() {
      return offset + lengthBytes;
    }

    /** The part between two offsets, which must not be empty. */
    Part between(long from, long to) {
      long start = Math.max(from, offset);
      long end = Math.min(to, endOffset());
      return new Part(start, (int) (end - start), piece, pieceOffset + (int) (start - offset));
    }
  }

  private final TreeMap<Long, Part> parts = new TreeMap<>();

  /** Lays a piece over everything before: a client reads its own writes, the last on top (P4). */
  @Rule("P4")
  public void put(Piece piece) {
    // Most files are written from their beginning to their end.
    if (piece.offset() < endOffset()) clear(piece.offset(), piece.endOffset());
    parts.put(piece.offset(), new Part(piece.offset(), piece.lengthBytes(), piece, 0));
  }

  /** Takes away what of a piece is still on top. */
  public void remove(Piece piece) {
    Part whole = parts.get(piece.offset());
    if (whole != null && whole.piece().equals(piece) && whole.endOffset() == piece.endOffset()) {
      parts.remove(piece.offset());
      return;
    }
    parts
        .subMap(floor(piece.offset()), piece.endOffset())
        .values()
        .removeIf(part -> part.piece().equals(piece));
  }

  /**
   * Removes a piece as if it had never been placed: the bytes that it hid are visible again.
   *
   * @param others all pieces but it, in the order in which they were placed
   */
  public void withdraw(Piece piece, Iterable<Piece> others) {
    clear(piece.offset(), piece.endOffset());
    for (Piece other : others) {
      long from = Math.max(piece.offset(), other.offset());
      long to = Math.min(piece.endOffset(), other.endOffset());
      if (from >= to) continue;
      clear(from, to);
      keep(new Part(other.offset(), other.lengthBytes(), other, 0).between(from, to));
    }
  }

  /** The parts between two offsets, in order. */
  public List<Part> between(long from, long to) {
    List<Part> found = new ArrayList<>();
    if (from >= to) return found;
    for (Part part : parts.subMap(floor(from), to).values()) {
      if (part.endOffset() > from) found.add(part.between(from, to));
    }
    return found;
  }

  /** The offset of the first byte, or the given one if there is none. */
  public long startOffset(long ifEmpty) {
    return parts.isEmpty() ? ifEmpty : parts.firstKey();
  }

  /** The end of the last byte, or 0. */
  public long endOffset() {
    Map.Entry<Long, Part> last = parts.lastEntry();
    return last == null ? 0 : last.getValue().endOffset();
  }

  public boolean isEmpty() {
    return parts.isEmpty();
  }

  private void clear(long from, long to) {
    List<Part> hit = new ArrayList<>(parts.subMap(floor(from), to).values());
    for (Part part : hit) {
      if (part.endOffset() <= from) continue;
      parts.remove(part.offset());
      if (part.offset() < from) keep(part.between(part.offset(), from));
      if (part.endOffset() > to) keep(part.between(to, part.endOffset()));
    }
  }

  private void keep(Part part) {
    parts.put(part.offset(), part);
  }

  /** The start of the part at or before an offset. */
  private long floor(long offset) {
    @Nullable Long at = parts.floorKey(offset);
    return at == null ? offset : at;
  }
}
