// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.order;

import io.forebay.simulation.history.Operation;
import io.forebay.simulation.history.Run;
import io.forebay.simulation.history.file.Change;
import io.forebay.simulation.history.file.FileRange;
import io.forebay.simulation.history.file.Piece;
import io.forebay.simulation.history.file.Sight;
import org.jspecify.annotations.Nullable;

/**
 * A read saw one change at a place that another change also covers: so the other came before it, or
 * after it and not before the read began.
 *
 * @param piece the piece that the read saw; null for zeros, cut by the change
 * @param otherPiece the piece of the other change at the place; null if it cut the place off
 */
record Alternative(
    FileRange place,
    Change seen,
    @Nullable Piece piece,
    Sight sight,
    Change other,
    @Nullable Piece otherPiece)
    implements Question {

  @Override
  public boolean decide(Orders orders, OrderFindings findings) {
    boolean before = !other.cannotPrecede(seen) && orders.path(seen, other) == null;
    boolean after =
        other.latest.position() > read().begun()
            && !seen.cannotPrecede(other)
            && orders.path(other, seen) == null;
    if (before && after) return other.earliest.position() > read().begun();
    if (before) {
      orders.add(other, seen, read());
    } else if (after) {
      orders.add(seen, other, read());
      orders.notBefore(other, read(), value());
    } else {
      findings.replaced(this, orders.path(seen, other));
    }
    return true;
  }

  Operation read() {
    return sight.read();
  }

  private long value() {
    return piece == null ? Run.ZEROS : piece.value;
  }
}
