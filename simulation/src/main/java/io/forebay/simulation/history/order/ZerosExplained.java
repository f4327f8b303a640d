// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.order;

import io.forebay.simulation.history.Operation;
import io.forebay.simulation.history.Run;
import io.forebay.simulation.history.file.Batch;
import io.forebay.simulation.history.file.Bound;
import io.forebay.simulation.history.file.Change;
import io.forebay.simulation.history.file.FileRange;
import io.forebay.simulation.history.file.Piece;
import io.forebay.simulation.history.file.Sight;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A read saw zeros where there was a write and a truncation: either nothing was published yet, or
 * one of the truncations was the last change before.
 */
final class ZerosExplained implements Question {
  /** The changes of a place: published pieces and truncations, each also ordered by time. */
  record Changes(
      FileRange place, Map<Batch, Piece> published, Timeline batches, Timeline truncations) {}

  private final Changes changes;
  private final Sight sight;
  private final Operation read;
  private final @Nullable Piece own;

  /** The consequences once the truncation is known. */
  private @Nullable List<Alternative> consequences;

  ZerosExplained(Changes changes, FileRange.Zeros zeros) {
    this.changes = changes;
    this.sight = zeros.sight();
    this.read = sight.read();
    this.own = zeros.own();
  }

  @Override
  public boolean decide(Orders orders, OrderFindings findings) {
    if (consequences != null) return decideConsequences(orders, findings);
    List<Change> truncations = changes.truncations().during(0, read.ended());
    for (Change truncation : truncations) {
      if (explains(truncation)) return true;
    }
    List<Batch> gone = gone();
    // If there are two explanations it does not matter whether there are more.
    List<Change> possible =
        truncations.stream()
            .filter(truncation -> canExplain(truncation, gone, orders))
            .limit(gone.isEmpty() ? 1 : 2)
            .toList();
    if (gone.isEmpty()) {
      if (!possible.isEmpty()) return false;
      for (Batch batch : changes.published().keySet()) orders.notBefore(batch, read, Run.ZEROS);
      return true;
    }
    if (possible.isEmpty()) {
      Batch last = gone.getLast();
      findings.zeros(changes.place(), sight, last, changes.published().get(last));
      return true;
    }
    if (possible.size() > 1) return false;
    consequences = consequencesOf(possible.getFirst(), gone, orders);
    return decideConsequences(orders, findings);
  }

  /**
   * Whether nothing else follows: the truncation was in time, and everything else was before or
   * later.
   */
  private boolean explains(Change truncation) {
    int latest = truncation.latest.position();
    return truncation.happened
        && latest < read.ended()
        && changes
            .batches()
            .isQuiet(truncation.earliest.position(), Math.max(latest, read.begun()));
  }

  /** The batches that were published before and must have been cut. */
  private List<Batch> gone() {
    List<Batch> gone = new ArrayList<>();
    for (Batch batch : changes.published().keySet()) {
      boolean wasThere = own != null && own.batch == batch;
      if (wasThere || batch.latest.position() < read.begun()) gone.add(batch);
    }
    return gone;
  }

  /** Whether it may have been the last change before the read. */
  private boolean canExplain(Change truncation, List<Batch> gone, Orders orders) {
    if (truncation.earliest.position() > read.ended()) return false;
    for (Batch batch : gone) {
      if (batch.cannotPrecede(truncation) || orders.path(truncation, batch) != null) return false;
    }
    return true;
  }

  private List<Alternative> consequencesOf(Change truncation, List<Batch> gone, Orders orders) {
    orders.happenedBefore(truncation, Bound.end(read, Bound.Why.SEEN, Run.ZEROS));
    for (Batch batch : gone) orders.add(batch, truncation, read);
    int since = truncation.earliest.position();
    List<Alternative> following = new ArrayList<>();
    for (Change batch : changes.batches().during(since, read.begun())) {
      if (batch.latest.position() < read.begun()) continue;
      Piece piece = changes.published().get(batch);
      following.add(new Alternative(changes.place(), truncation, null, sight, batch, piece));
    }
    return following;
  }

  private boolean decideConsequences(Orders orders, OrderFindings findings) {
    if (consequences == null) return false;
    consequences.removeIf(alternative -> alternative.decide(orders, findings));
    return consequences.isEmpty();
  }
}
