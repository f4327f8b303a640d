// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.order;

import io.forebay.simulation.history.Action;
import io.forebay.simulation.history.Ending;
import io.forebay.simulation.history.Operation;
import io.forebay.simulation.history.Rule;
import io.forebay.simulation.history.Run;
import io.forebay.simulation.history.file.Bound;
import io.forebay.simulation.history.file.FileHistory;
import io.forebay.simulation.history.file.FileRange;
import io.forebay.simulation.history.file.FileRanges;
import io.forebay.simulation.history.file.Involved;
import io.forebay.simulation.history.file.Piece;
import io.forebay.simulation.history.file.Range;
import io.forebay.simulation.history.file.Sight;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks each read of a file separately: whether the reader's unpublished writes explain what it
 * saw, or else which change must have been published then. {@link PublishOrder} uses the latter.
 */
public final class ReadCheck {
  /** A read saw a piece, so the reader's own newest piece must have been published before that. */
  record OwnFirst(Piece own, Piece seen, Sight sight, FileRange place) {}

  private final FileHistory file;
  private final Map<Long, Operation> writers;
  private final Findings findings;
  private final List<OwnFirst> ownFirst = new ArrayList<>();

  /**
   * Prepares it.
   *
   * @param writers the writer of each value, of all files and pairs
   */
  public ReadCheck(FileHistory file, Map<Long, Operation> writers, Findings findings) {
    this.file = file;
    this.writers = writers;
    this.findings = findings;
  }

  /** Checks all reads; gives the places that were seen. */
  public List<FileRange> check() {
    List<Sight> sights = new ArrayList<>();
    for (Operation read : file.reads) addSights(read, sights);
    List<FileRange> places = FileRanges.of(file, sights);
    for (FileRange place : places) {
      for (Sight sight : place.sights) {
        if (sight.value() == Run.ZEROS) checkZeros(place, sight);
        else checkValue(place, sight);
      }
    }
    return places;
  }

  /** The constraints between changes that follow because readers see their own writes. */
  public List<OwnFirst> ownFirst() {
    return ownFirst;
  }

  /** What a read saw, with zeros where it saw nothing, and without impossible values. */
  private void addSights(Operation read, List<Sight> sights) {
    if (!(read.action() instanceof Action.Read asked)
        || !(read.ending() instanceof Ending.Saw(List<Run> runs))) {
      throw new IllegalStateException(read + " saw nothing");
    }
    long at = asked.offset();
    for (Run run : runs) {
      if (run.offset() > at) sights.add(new Sight(read, at, run.offset(), Run.ZEROS));
      at = run.endOffset();
      if (run.value() == Run.ZEROS || canHaveSeen(read, run)) {
        sights.add(new Sight(read, run.offset(), run.endOffset(), run.value()));
      }
    }
    long end = asked.offset() + asked.lengthBytes();
    if (end > at) sights.add(new Sight(read, at, end, Run.ZEROS));
  }

  private boolean canHaveSeen(Operation read, Run run) {
    Operation writer = writers.get(run.value());
    if (writer == null) {
      neverWritten(read, run, writer, "which no client wrote anywhere");
    } else if (!(writer.action() instanceof Action.Write write)) {
      neverWritten(read, run, writer, "which is the value of a pair, put by " + writer);
    } else if (!write.file().equals(file.file)) {
      neverWritten(
          read, run, writer, "which was written to file " + write.file() + " by " + writer);
    } else if (run.offset() < write.offset() || run.endOffset() > write.endOffset()) {
      String range = "[" + write.offset() + ", " + write.endOffset() + ")";
      neverWritten(read, run, writer, "which was written only to " + range + " by " + writer);
    } else if (writer.begun() > read.ended()) {
      neverWritten(read, run, writer, "which was written only later by " + writer);
    } else {
      return true;
    }
    return false;
  }

  private void neverWritten(Operation read, Run run, @Nullable Operation writer, String why) {
    findings.add(
        Rule.NEVER_WRITTEN,
        read,
        new Range(run.offset(), run.endOffset()),
        range -> saw(read, range, Bound.tell(run.value())) + ", " + why,
        new Involved().and(writer));
  }

  private void checkValue(FileRange place, Sight sight) {
    Operation read = sight.read();
    Piece piece = file.piece(sight.value(), place.from);
    if (piece == null) throw new IllegalStateException(sight + " is not at " + place.from);
    Piece own = place.newestOwn(read);
    if (isOverlaid(piece, own, read)) return;
    if (own != null && hides(own, piece, read)) {
      lostOwn(place, sight, own, piece.toString());
    } else if (piece.write.isRefused()) {
      findings.add(
          Rule.REFUSED_SEEN,
          read,
          place.range(sight),
          range -> saw(read, range, piece.toString()) + ", though that was refused",
          new Involved().and(piece));
    } else if (piece.batch.earliest.position() > read.ended()) {
      unpublished(place, sight, piece);
    } else {
      piece.seen = true;
      piece.batch.happenedBefore(Bound.end(read, Bound.Why.SEEN, piece.value));
      place.sawPublished(piece, sight);
      if (own != null && own.batch != piece.batch) {
        own.batch.happened = true;
        ownFirst.add(new OwnFirst(own, piece, sight, place));
      }
    }
  }

  /** Whether the reader can have seen its own unpublished piece. */
  private static boolean isOverlaid(Piece piece, @Nullable Piece own, Operation read) {
    return piece.client() == read.client()
        && (own == null || own.order <= piece.order)
        && piece.batch.overlayEnd > read.begun()
        && !(piece.write.isRefused() && piece.write.ended() < read.begun());
  }

  /** Whether the reader's own piece must hide another, published or not. */
  private static boolean hides(Piece own, Piece other, Operation read) {
    boolean stillOverlaid = own.batch.earliest.position() > read.ended();
    boolean sameLineage = own.batch.lineage == other.batch.lineage;
    return stillOverlaid || (sameLineage && own.order > other.order);
  }

  private void checkZeros(FileRange place, Sight sight) {
    Operation read = sight.read();
    Piece own = place.newestOwn(read);
    if (own != null && own.batch.earliest.position() > read.ended()) {
      lostOwn(place, sight, own, "zeros");
      return;
    }
    if (own != null) own.batch.happenedBefore(Bound.end(read, Bound.Why.SEEN, Run.ZEROS));
    place.zeros.add(new FileRange.Zeros(sight, own));
  }

  private void lostOwn(FileRange place, Sight sight, Piece own, String what) {
    findings.add(
        Rule.LOST_OWN_WRITE,
        sight.read(),
        place.range(sight),
        range ->
            saw(sight.read(), range, what) + ", though the same client had written there: " + own,
        new Involved().and(own));
  }

  private void unpublished(FileRange place, Sight sight, Piece piece) {
    Operation publish = piece.batch.asked();
    String when =
        publish == null ? "was never published" : "was published only later by " + publish;
    findings.add(
        Rule.UNPUBLISHED_SEEN,
        sight.read(),
        place.range(sight),
        range -> saw(sight.read(), range, piece.toString()) + ", which " + when,
        new Involved().and(piece));
  }

  private String saw(Operation read, String range, String what) {
    return "read " + read + " of file " + file.file + " saw at " + range + " " + what;
  }
}
