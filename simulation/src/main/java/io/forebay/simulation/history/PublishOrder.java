package io.forebay.simulation.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks for an order of a file's changes that explains what all reads saw. It draws every forced
 * conclusion, and from those the next, until there is a contradiction or nothing is forced any
 * more; it never guesses. So whatever it finds is wrong, and what it lets pass is wrong only if
 * several free choices exclude each other.
 *
 * <p>Each change has two bounds in time, and some pairs an {@link Orders order}. What a read adds:
 * if it saw one change at a place, then any other change there came before that one, or came after
 * it and not before the read began.
 */
final class PublishOrder {
  private static final Comparator<Change> BY_EARLIEST =
      Comparator.comparingInt(change -> change.earliest.position());

  private final FileHistory file;
  private final OrderFindings findings;
  private final Orders orders;

  /** By both changes, to ask nothing twice. For looking up only: the order is not used. */
  private final Map<Change, Map<Change, Alternative>> alternatives = new HashMap<>();

  private final List<Question> open = new ArrayList<>();

  PublishOrder(FileHistory file, Findings findings) {
    this.file = file;
    this.findings = new OrderFindings(file.file, findings);
    this.orders = new Orders(this.findings);
  }

  void check(List<Place> places, List<ReadCheck.OwnFirst> ownFirst) {
    connectBatches();
    for (ReadCheck.OwnFirst own : ownFirst) {
      if (findings.any()) return;
      Batch first = own.own().batch;
      Batch second = own.seen().batch;
      if (first.cannotPrecede(second) || orders.path(second, first) != null) {
        findings.ownReplaced(own);
      } else {
        orders.add(first, second, own.read());
      }
    }
    for (Place place : places) {
      if (findings.any()) return;
      collect(place);
    }
    if (!findings.any()) decideAll();
  }

  /** No batch is published without those before it, nor anything truncated without its publish. */
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

  private void collect(Place place) {
    Map<Batch, Piece> published = place.published();
    for (Map.Entry<Piece, Operation> seen : place.seen.entrySet()) {
      Piece piece = seen.getKey();
      Piece newest = published.getOrDefault(piece.batch, piece);
      if (newest != piece) findings.hidden(place, piece, newest, seen.getValue());
    }
    List<Change> changes = new ArrayList<>(published.keySet());
    List<Truncation> truncations = new ArrayList<>();
    for (Truncation truncation : file.truncations) {
      if (truncation.sizeBytes > place.from) continue;
      truncations.add(truncation);
      if (truncation.happened) changes.add(truncation);
    }
    collectZeros(place, published, truncations);
    collectAlternatives(place, published, changes);
  }

  private void collectZeros(
      Place place, Map<Batch, Piece> published, List<Truncation> truncations) {
    if (place.zeros.isEmpty()) return;
    if (!truncations.isEmpty()) {
      for (Place.Zeros zeros : place.zeros) {
        Question question = new ZerosExplained(place, zeros, published, truncations);
        if (!question.decide(orders, findings)) open.add(question);
      }
      return;
    }
    // Nothing was there yet: all that counts is who saw that last.
    Place.Zeros last = place.zeros.getFirst();
    for (Place.Zeros zeros : place.zeros) {
      if (zeros.own() != null) findings.ownGone(place, zeros.read(), zeros.own());
      if (zeros.read().begun() > last.read().begun()) last = zeros;
    }
    for (Map.Entry<Batch, Piece> change : published.entrySet()) {
      if (!orders.notBefore(change.getKey(), last.read(), Run.ZEROS)) {
        findings.zeros(place, last.read(), change.getKey(), change.getValue());
      }
    }
  }

  /** Leaves out what the bounds decide anyway, which is nearly all. */
  private void collectAlternatives(Place place, Map<Batch, Piece> published, List<Change> changes) {
    Change[] sorted = changes.toArray(Change[]::new);
    Arrays.sort(sorted, BY_EARLIEST);
    int[] latestSoFar = new int[sorted.length];
    for (int i = 0; i < sorted.length; i++) {
      int before = i == 0 ? 0 : latestSoFar[i - 1];
      latestSoFar[i] = Math.max(before, sorted[i].latest.position());
    }
    for (Map.Entry<Piece, Operation> entry : place.seen.entrySet()) {
      Batch seen = entry.getKey().batch;
      int earliest = seen.earliest.position();
      for (int i = firstFrom(sorted, entry.getValue().begun()) - 1; i >= 0; i--) {
        if (latestSoFar[i] < earliest) break;
        Change other = sorted[i];
        if (other == seen || other.latest.position() < earliest) continue;
        Piece otherPiece = other instanceof Batch batch ? published.get(batch) : null;
        add(new Alternative(place, seen, entry.getKey(), entry.getValue(), other, otherPiece));
      }
    }
  }

  /** The first change that cannot have happened before a position. */
  private static int firstFrom(Change[] sorted, int position) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle].earliest.position() < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private void add(Alternative alternative) {
    Map<Change, Alternative> ofSeen =
        alternatives.computeIfAbsent(alternative.seen(), seen -> new HashMap<>());
    Alternative known = ofSeen.get(alternative.other());
    // One about an earlier read says less, but if it is in the list already, it does no harm.
    if (known == null || known.read().begun() < alternative.read().begun()) {
      ofSeen.put(alternative.other(), alternative);
      open.add(alternative);
    }
  }

  /** Each round decides something, so that there are no more rounds than questions. */
  private void decideAll() {
    List<Question> undecided = open;
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
  }
}
