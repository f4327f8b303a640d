// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.file;

import io.forebay.simulation.history.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A range of a file that every piece and every truncation covers wholly or not at all. So all its
 * bytes have the same published value at any time, and a read of some of them counts for all.
 */
public final class FileRange {
  /**
   * Zeros in published content that a read saw.
   *
   * @param own the reader's own earlier write here, which must have been truncated then
   */
  public record Zeros(Sight sight, @Nullable Piece own) {}

  public final long from;
  final long to;

  /** All pieces that cover it, in the order of writing. */
  final List<Piece> pieces;

  /** All that was seen of it, by runs that may be longer or shorter. */
  public final List<Sight> sights;

  /** Published pieces that were seen, each with the latest read that saw it. */
  public final Map<Piece, Sight> seen = new LinkedHashMap<>();

  public final List<Zeros> zeros = new ArrayList<>();

  FileRange(long from, long to, List<Piece> pieces, List<Sight> sights) {
    this.from = from;
    this.to = to;
    this.pieces = pieces;
    this.sights = sights;
  }

  public void sawPublished(Piece piece, Sight sight) {
    seen.merge(piece, sight, (a, b) -> a.read().begun() > b.read().begun() ? a : b);
  }

  /** The part of it that a read saw. */
  public Range range(Sight sight) {
    return new Range(Math.max(from, sight.from()), Math.min(to, sight.to()));
  }

  /** The newest piece that a client must see here if no client published anything. */
  public @Nullable Piece newestOwn(Operation read) {
    for (int i = pieces.size() - 1; i >= 0; i--) {
      Piece piece = pieces.get(i);
      if (piece.client() == read.client()
          && piece.write.isDone()
          && piece.write.ended() < read.begun()
          && piece.batch.forgotten > read.ended()) {
        return piece;
      }
    }
    return null;
  }

  /** What each change that happened made of this place: its newest piece here. */
  public Map<Batch, Piece> published() {
    Map<Batch, Piece> published = new LinkedHashMap<>();
    for (Piece piece : pieces) {
      if (piece.batch.happened && piece.counts()) published.put(piece.batch, piece);
    }
    return published;
  }
}
