// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.order;

import io.forebay.base.FileId;
import io.forebay.simulation.history.Action;
import io.forebay.simulation.history.Operation;
import io.forebay.simulation.history.Rule;
import io.forebay.simulation.history.file.Batch;
import io.forebay.simulation.history.file.Bound;
import io.forebay.simulation.history.file.Change;
import io.forebay.simulation.history.file.FileRange;
import io.forebay.simulation.history.file.Involved;
import io.forebay.simulation.history.file.Piece;
import io.forebay.simulation.history.file.Range;
import io.forebay.simulation.history.file.Sight;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes why no order of a file's changes explains the reads. */
final class OrderFindings {
  private final FileId file;
  private final Findings findings;

  OrderFindings(FileId file, Findings findings) {
    this.file = file;
    this.findings = findings;
  }

  boolean any() {
    return !findings.isEmpty();
  }

  /** A newer piece of the same publish must have hidden the piece that was seen. */
  void hidden(FileRange place, Piece piece, Piece newest, Sight sight) {
    Operation read = sight.read();
    boolean acknowledged = newest.write.isDone();
    String why = acknowledged ? "" : "; other bytes of that have been seen";
    findings.add(
        acknowledged ? Rule.STALE_READ : Rule.TORN_RECORD,
        read,
        place.range(sight),
        range ->
            saw(read, range, piece.toString())
                + (", though it was published with " + newest + ", which hides it" + why),
        new Involved().and(piece).and(newest));
  }

  /** Something older than what the reader itself had written. */
  void ownReplaced(ReadCheck.OwnFirst own) {
    Piece seen = own.seen();
    findings.add(
        Rule.LOST_OWN_WRITE,
        own.sight().read(),
        own.place().range(own.sight()),
        range ->
            saw(own.sight().read(), range, seen.toString())
                + (", which was published " + seen.batch.latest.tellLatest())
                + (", though the same client had later published " + own.own() + " there"),
        new Involved().and(seen).and(seen.batch).and(own.own()));
  }

  /** Zeros where the reader itself had written and no truncation happened. */
  void ownGone(FileRange place, Sight sight, Piece own) {
    findings.add(
        Rule.LOST_OWN_WRITE,
        sight.read(),
        place.range(sight),
        range ->
            saw(sight.read(), range, "zeros")
                + ", though the same client had written there: "
                + own,
        new Involved().and(own));
  }

  /** Zeros after a publish. */
  void zeros(FileRange place, Sight sight, Change change, @Nullable Piece piece) {
    Operation read = sight.read();
    findings.add(
        rule(change, piece, place.range(sight)),
        read,
        place.range(sight),
        range -> saw(read, range, "zeros") + ", though before it began " + told(change, piece),
        new Involved().and(change).and(piece));
  }

  /** The content that was seen had been replaced before the read began. */
  void replaced(Alternative alternative, @Nullable List<Change.Order> path) {
    Change seen = alternative.seen();
    Change other = alternative.other();
    Piece piece = alternative.piece();
    Piece otherPiece = alternative.otherPiece();
    Operation read = alternative.read();
    Range where = alternative.place().range(alternative.sight());
    String what = piece == null ? "zeros, left by " + seen : piece.toString();
    String then =
        path == null
            ? "; what it saw was published " + seen.latest.tellLatest()
            : "; what it saw came earlier, " + told(path);
    Involved involved = new Involved().and(seen).and(piece).and(other).and(otherPiece);
    findings.add(
        path == null ? rule(other, otherPiece, where) : rule(path),
        read,
        where,
        range ->
            saw(read, range, what) + ", though before it began " + told(other, otherPiece) + then,
        path == null ? involved : involved.and(path));
  }

  /** Two reads that require two changes in different orders. */
  void contrary(Change first, Change second, Operation read, List<Change.Order> path) {
    String known = told(path);
    findings.add(
        rule(path),
        read,
        rangeOf(first),
        range ->
            ("what read " + read + " of file " + file + " saw of " + range + " means that ")
                + (first + " came before " + second + ", but it came later, " + known),
        new Involved().and(first).and(second).and(path));
  }

  /** A change that cannot have happened at any time. */
  void impossible(Change change) {
    Operation culprit = change.earliest.operation();
    if (culprit == null) throw new IllegalStateException(change + " has no begin");
    String when = change.earliest.tellEarliest() + ", and " + change.latest.tellLatest();
    findings.add(
        change.latest.why() == Bound.Why.SESSION_ENDED ? Rule.UNPUBLISHED_SEEN : Rule.NO_ORDER,
        culprit,
        rangeOf(change),
        range -> change + " of file " + file + " at " + range + " must have happened " + when,
        new Involved().and(change));
  }

  private static Range rangeOf(Change change) {
    List<Piece> pieces = change instanceof Batch batch ? batch.pieces : List.of();
    long from = pieces.stream().mapToLong(piece -> piece.offset).min().orElse(0);
    long to = pieces.stream().mapToLong(piece -> piece.endOffset).max().orElse(Long.MAX_VALUE);
    return new Range(from, to);
  }

  /** The rule that is broken if a read missed a change depends on the evidence for the change. */
  private static Rule rule(Change overlooked, @Nullable Piece piece, Range where) {
    return switch (overlooked.latest.why()) {
      case OPEN, ITSELF -> Rule.STALE_READ;
      case SESSION_ENDED -> Rule.UNPUBLISHED_SEEN;
      case SEEN, NOT_YET ->
          piece == null || sawHere(overlooked.latest, piece, where)
              ? Rule.NOT_MONOTONIC
              : Rule.TORN_RECORD;
      case ORDER -> Rule.NO_ORDER;
    };
  }

  /** Whether the evidence for a change is the same bytes, and not other bytes of it. */
  private static boolean sawHere(Bound bound, Piece piece, Range where) {
    return bound.value() == piece.value
        && bound.operation() != null
        && bound.operation().action() instanceof Action.Read read
        && read.offset() < where.to()
        && where.from() < read.offset() + read.lengthBytes();
  }

  private static Rule rule(List<Change.Order> path) {
    long reads = path.stream().filter(order -> order.read() != null).count();
    if (reads == 0) return Rule.STALE_READ;
    return reads == 1 ? Rule.NOT_MONOTONIC : Rule.NO_ORDER;
  }

  private static String told(Change change, @Nullable Piece piece) {
    String what = piece == null ? change.toString() : piece + " was published: " + change;
    return what
        + (" happened " + change.earliest.tellEarliest())
        + (" and " + change.latest.tellLatest());
  }

  private static String told(List<Change.Order> path) {
    return path.stream()
        .map(
            order ->
                order.read() == null
                    ? "being published in that order by their client"
                    : "as read " + order.read() + " tells")
        .distinct()
        .collect(Collectors.joining(" and "));
  }

  private String saw(Operation read, String range, String what) {
    return "read " + read + " of file " + file + " saw at " + range + " " + what;
  }
}
