// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.file;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** Cuts a file into the places that were both written and read. */
public final class FileRanges {
  private static final Comparator<Piece> BY_ORDER = Comparator.comparingInt(piece -> piece.order);

  private final List<Piece> pieces;
  private final List<Sight> sights;
  private final List<Piece> activePieces = new ArrayList<>();
  private final List<Sight> activeSights = new ArrayList<>();
  private int nextPiece;
  private int nextSight;

  private FileRanges(List<Piece> pieces, List<Sight> sights) {
    this.pieces = new ArrayList<>(pieces);
    this.pieces.sort(Comparator.comparingLong(piece -> piece.offset));
    this.sights = new ArrayList<>(sights);
    this.sights.sort(Comparator.comparingLong(Sight::from));
  }

  /** The places in order of offset. */
  public static List<FileRange> of(FileHistory file, List<Sight> sights) {
    TreeSet<Long> cuts = new TreeSet<>();
    for (Piece piece : file.pieces) {
      cuts.add(piece.offset);
      cuts.add(piece.endOffset);
    }
    for (Truncation truncation : file.truncations) {
      cuts.add(truncation.from);
      cuts.add(truncation.to);
    }
    FileRanges sweep = new FileRanges(file.pieces, sights);
    List<FileRange> places = new ArrayList<>();
    long from = 0;
    for (long to : cuts) {
      if (to > from) sweep.visit(from, to, places);
      from = to;
    }
    return places;
  }

  private void visit(long from, long to, List<FileRange> places) {
    activePieces.removeIf(piece -> piece.endOffset <= from);
    while (nextPiece < pieces.size() && pieces.get(nextPiece).offset <= from) {
      activePieces.add(pieces.get(nextPiece++));
    }
    activeSights.removeIf(sight -> sight.to() <= from);
    while (nextSight < sights.size() && sights.get(nextSight).from() < to) {
      Sight sight = sights.get(nextSight++);
      // One that lies between two cuts is over before the next place.
      if (sight.to() > from) activeSights.add(sight);
    }
    if (activePieces.isEmpty() || activeSights.isEmpty()) return;
    activePieces.sort(BY_ORDER);
    places.add(new FileRange(from, to, List.copyOf(activePieces), List.copyOf(activeSights)));
  }
}
