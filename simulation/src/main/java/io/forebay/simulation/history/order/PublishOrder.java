// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.order;

import io.forebay.simulation.history.Run;
import io.forebay.simulation.history.file.Batch;
import io.forebay.simulation.history.file.Change;
import io.forebay.simulation.history.file.FileHistory;
import io.forebay.simulation.history.file.FileRange;
import io.forebay.simulation.history.file.Piece;
import io.forebay.simulation.history.file.Sight;
import io.forebay.simulation.history.file.Truncation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks for an order of a file's changes that explains all reads. It draws every forced conclusion,
 * and from those the next, until there is a contradiction or no conclusion is left; it never
 * guesses. So every violation it finds is real, and it misses one only if several free choices
 * exclude each other.
 *
 * <p>Each change has two bounds in time, and some pairs an {@link Orders order}. A read adds this:
 * if it saw one change at a place, then any other change there came before that one, or came after
 * it and not before the read began.
 */
public final class PublishOrder {
  private final FileHistory file;
  private final OrderFindings findings;
  private final Orders orders;

  /**
   * By both changes, so that no question is asked twice. For lookups only: the order is not used.
   */
  private final Map<Change, Map<Change, Alternative>> alternatives = new HashMap<>();

  private final List<Question> open = new ArrayList<>();

  public PublishOrder(FileHistory file, Findings findings) {
    this.file = file;
    this.findings = new OrderFindings(file.file, findings);
    this.orders = new Orders(this.findings);
  }

  public void check(List<FileRange> places, List<ReadCheck.OwnFirst> ownFirst) {
    connectBatches();
    for (ReadCheck.OwnFirst own : ownFirst) {
      if (findings.any()) return;
      Batch first = own.own().batch;
      Batch second = own.seen().batch;
      if (first.cannotPrecede(second) || orders.path(second, first) != null) {
        findings.ownReplaced(own);
      } else {
        orders.add(first, second, own.sight().read());
      }
    }
    for (FileRange place : places) {
      if (findings.any()) return;
      collect(place);
    }
    while (!findings.any()) {
      decideAll();
      List<Change> unexpected = orders.takeUnexpected();
      if (unexpected.isEmpty()) return;
      for (FileRange place : places) collectUnexpected(place, unexpected);
    }
  }

  /**
   * No batch is published without the earlier ones, and no truncation happens without its publish.
   */
  private void connectBatches() {
    ArrayDeque<Batch> happened = new ArrayDeque<>();
    for (Batch batch : file.batches) {
      if (batch.happened) happened.add(batch);
    }
    for (Truncation truncation : file.truncations) {
      Batch published = truncation.published;
      if (!truncation.happened || published == null) continue;
      published.happened = true;
      orders.always(published, truncation);
      happened.add(published);
    }
    while (!happened.isEmpty()) {
      Batch batch = happened.remove();
      Batch previous = batch.previous;
      if (previous == null || !batch.earlier.isEmpty()) continue;
      previous.happened = true;
      orders.always(previous, batch);
      happened.add(previous);
    }
    orders.propagate();
  }

  private void collect(FileRange place) {
    Map<Batch, Piece> published = place.published();
    for (Map.Entry<Piece, Sight> seen : place.seen.entrySet()) {
      Piece piece = seen.getKey();
      Piece newest = published.getOrDefault(piece.batch, piece);
      if (newest != piece) findings.hidden(place, piece, newest, seen.getValue());
    }
    List<Change> changes = new ArrayList<>(published.keySet());
    List<Truncation> truncations = new ArrayList<>();
    for (Truncation truncation : file.truncations) {
      if (!truncation.covers(place)) continue;
      truncations.add(truncation);
      if (truncation.happened) changes.add(truncation);
    }
    if (truncations.isEmpty()) nothingYet(place, published);
    else explainZeros(place, published, truncations);
    collectAlternatives(place, published, new Timeline(changes));
  }

  /** Zeros where no truncation ever happened: only the last read that saw them matters. */
  private void nothingYet(FileRange place, Map<Batch, Piece> published) {
    if (place.zeros.isEmpty()) return;
    Sight last = place.zeros.getFirst().sight();
    for (FileRange.Zeros zeros : place.zeros) {
      if (zeros.own() != null) findings.ownGone(place, zeros.sight(), zeros.own());
      if (zeros.sight().read().begun() > last.read().begun()) last = zeros.sight();
    }
    for (Map.Entry<Batch, Piece> change : published.entrySet()) {
      if (!orders.notBefore(change.getKey(), last.read(), Run.ZEROS)) {
        findings.zeros(place, last, change.getKey(), change.getValue());
      }
    }
  }

  private void explainZeros(
      FileRange place, Map<Batch, Piece> published, List<Truncation> truncations) {
    ZerosExplained.Changes changes =
        new ZerosExplained.Changes(
            place, published, new Timeline(published.keySet()), new Timeline(truncations));
    for (FileRange.Zeros zeros : place.zeros) {
      Question question = new ZerosExplained(changes, zeros);
      if (!question.decide(orders, findings)) open.add(question);
    }
  }

  /** Drops the questions that the bounds decide, which are nearly all. */
  private void collectAlternatives(FileRange place, Map<Batch, Piece> published, Timeline changes) {
    for (Map.Entry<Piece, Sight> entry : place.seen.entrySet()) {
      Piece piece = entry.getKey();
      Sight sight = entry.getValue();
      int since = piece.batch.earliest.position();
      for (Change other : changes.during(since, sight.read().begun())) {
        if (other == piece.batch) continue;
        Piece otherPiece = other instanceof Batch batch ? published.get(batch) : null;
        add(new Alternative(place, piece.batch, piece, sight, other, otherPiece));
      }
    }
  }

  /** A truncation that turned out to have happened may have cut what other reads saw. */
  private void collectUnexpected(FileRange place, List<Change> unexpected) {
    List<Change> here = new ArrayList<>();
    for (Change change : unexpected) {
      if (change instanceof Truncation cut && cut.covers(place)) here.add(cut);
    }
    if (!here.isEmpty()) collectAlternatives(place, place.published(), new Timeline(here));
  }

  private void add(Alternative alternative) {
    Map<Change, Alternative> ofSeen =
        alternatives.computeIfAbsent(alternative.seen(), seen -> new HashMap<>());
    Alternative known = ofSeen.get(alternative.other());
    // A question about an earlier read is weaker, but harmless if it is in the list already.
    if (known == null || known.read().begun() < alternative.read().begun()) {
      ofSeen.put(alternative.other(), alternative);
      open.add(alternative);
    }
  }

  /** Each round decides something, so that there are no more rounds than questions. */
  private void decideAll() {
    List<Question> undecided = List.copyOf(open);
    boolean progress = true;
    while (progress && !findings.any()) {
      List<Question> still = new ArrayList<>();
      for (Question question : undecided) {
        if (findings.any()) return;
        if (!question.decide(orders, findings)) still.add(question);
      }
      progress = still.size() < undecided.size() || orders.takeNarrowed();
      undecided = still;
    }
    open.clear();
    open.addAll(undecided);
  }
}
