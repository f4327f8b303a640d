// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

import io.forebay.drain.reorder.Pieces;

/**
 * Makes the plan of a drain from a file's pieces: cuts the file into domains, assigns these to
 * holders, and cuts them into writes. Linear in the number of pieces. 16 bytes per write beside the
 * pieces.
 */
public final class DrainPlanner {
  /** Holes of at least this length are left out of a sparse file; shorter ones become zeros. */
  public static final int HOLE_BYTES_MIN = 1 << 20;

  /** The results of planning. */
  public sealed interface Planning {
    record Planned(DrainPlan plan) implements Planning {}

    /** The store does not take files of that size. */
    record TooLarge(long sizeBytes, long sizeBytesMax) implements Planning {}
  }

  private final Pieces pieces;
  private final FileDomains domains;
  private final Writes writes;

  private DrainPlanner(Pieces pieces, FileDomains domains) {
    this.pieces = pieces;
    this.domains = domains;
    writes = new Writes(pieces.dataBytes() / domains.writeBytes() + 1);
  }

  /** The plan for a file of that size; bytes in no piece are a hole. */
  public static Planning plan(
      Pieces pieces, long sizeBytes, WriteRules rules, Participants participants) {
    if (pieces.endOffset() > sizeBytes) {
      throw new IllegalArgumentException(
          "pieces up to " + pieces.endOffset() + " of a file of " + sizeBytes);
    }
    return switch (FileDomains.cut(sizeBytes, rules, participants.holders().count())) {
      case FileDomains.Cut.TooLarge tooLarge ->
          new Planning.TooLarge(tooLarge.sizeBytes(), tooLarge.sizeBytesMax());
      case FileDomains.Cut.Done done ->
          new Planning.Planned(new DrainPlanner(pieces, done.domains()).plan(rules, participants));
    };
  }

  private DrainPlan plan(WriteRules rules, Participants participants) {
    switch (rules.holes()) {
      case ZEROS -> writeEverything();
      case SPARSE -> writePieces(HOLE_BYTES_MIN - 1);
      case KEEP -> writePieces(0);
    }
    writes.trim();
    DomainLoads loads = new DomainLoads(pieces, domains, participants);
    int[] holders =
        Assignment.of(loads, domains.count(), participants.holders().count(), participants.first());
    long localBytes = 0;
    for (int domain = 0; domain < holders.length; domain++) {
      localBytes += loads.localBytes(domain, holders[domain]);
    }
    DrainPlan.Layout layout = new DrainPlan.Layout(rules, domains, pieces, writes);
    return new DrainPlan(layout, participants.holders(), holders, localBytes);
  }

  private void writeEverything() {
    int piece = 0;
    long offset = 0;
    while (offset < domains.sizeBytes()) {
      while (piece < pieces.count() && pieces.endOffset(piece) <= offset) piece++;
      long end = Math.min(domains.sizeBytes(), offset + domains.writeBytes());
      writes.add(offset, end, piece);
      offset = end;
    }
  }

  /** Leaves out holes that are longer than that. */
  private void writePieces(int filledBytesMax) {
    int piece = 0;
    long planned = 0;
    while (piece < pieces.count()) {
      long from = Math.max(planned, pieces.offset(piece));
      long limit = (from / domains.writeBytes() + 1) * domains.writeBytes();
      int first = piece;
      long to = from;
      while (piece < pieces.count()
          && pieces.offset(piece) < limit
          && pieces.offset(piece) - to <= filledBytesMax) {
        to = Math.min(limit, pieces.endOffset(piece));
        // Bytes behind the limit belong to the next write.
        if (pieces.endOffset(piece) > limit) break;
        piece++;
      }
      writes.add(from, to, first);
      planned = to;
    }
  }
}
