package io.forebay.simulation.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A read saw zeros where something was written and something was cut: either nothing was published
 * yet, or one of the truncations was the last change before.
 */
final class ZerosExplained implements Question {
  private final Place place;
  private final Operation read;
  private final @Nullable Piece own;
  private final Map<Batch, Piece> published;
  private final List<Truncation> truncations;

  /** What follows once it is known which truncation it was. */
  private @Nullable List<Alternative> consequences;

  ZerosExplained(
      Place place, Place.Zeros zeros, Map<Batch, Piece> published, List<Truncation> truncations) {
    this.place = place;
    this.read = zeros.read();
    this.own = zeros.own();
    this.published = published;
    this.truncations = truncations;
  }

  @Override
  public boolean decide(Orders orders, OrderFindings findings) {
    if (consequences != null) return decideConsequences(orders, findings);
    List<Batch> gone = new ArrayList<>();
    for (Batch batch : published.keySet()) {
      boolean wasThere = own != null && own.batch == batch;
      if (wasThere || batch.latest.position() < read.begun()) gone.add(batch);
    }
    List<Truncation> possible = new ArrayList<>();
    for (Truncation truncation : truncations) {
      if (!canExplain(truncation, gone, orders)) continue;
      if (explains(truncation)) return true;
      possible.add(truncation);
    }
    if (gone.isEmpty()) {
      if (!possible.isEmpty()) return false;
      for (Batch batch : published.keySet()) orders.notBefore(batch, read, Run.ZEROS);
      return true;
    }
    if (possible.isEmpty()) {
      Batch last = gone.getLast();
      findings.zeros(place, read, last, published.get(last));
      return true;
    }
    if (possible.size() > 1) return false;
    consequences = consequencesOf(possible.getFirst(), gone, orders);
    return decideConsequences(orders, findings);
  }

  /** Whether it may have been the last change before the read. */
  private boolean canExplain(Truncation truncation, List<Batch> gone, Orders orders) {
    if (truncation.earliest.position() > read.ended()) return false;
    for (Batch batch : gone) {
      if (batch.cannotPrecede(truncation) || orders.path(truncation, batch) != null) return false;
    }
    return true;
  }

  /** Whether it must have been, so that nothing follows from the read. */
  private boolean explains(Truncation truncation) {
    int latest = truncation.latest.position();
    if (!truncation.happened || latest > read.ended()) return false;
    int replaceable = Math.max(latest, read.begun());
    for (Batch batch : published.keySet()) {
      boolean before = batch.latest.position() < truncation.earliest.position();
      if (!before && batch.earliest.position() < replaceable) return false;
    }
    return true;
  }

  private List<Alternative> consequencesOf(Truncation truncation, List<Batch> gone, Orders orders) {
    orders.happenedBefore(truncation, Bound.end(read, Bound.Why.SEEN, Run.ZEROS));
    for (Batch batch : gone) orders.add(batch, truncation, read);
    List<Alternative> following = new ArrayList<>();
    published.forEach(
        (batch, piece) -> {
          if (!gone.contains(batch)) {
            following.add(new Alternative(place, truncation, null, read, batch, piece));
          }
        });
    return following;
  }

  private boolean decideConsequences(Orders orders, OrderFindings findings) {
    if (consequences == null) return false;
    consequences.removeIf(alternative -> alternative.decide(orders, findings));
    return consequences.isEmpty();
  }
}
