package io.forebay.simulation.history;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pieces of one client that are published together: at once, in the order of their writing. */
final class Batch extends Change {
  final List<Piece> pieces = new ArrayList<>();

  /** Batches of one lineage are published in order, none without those before it. */
  final int lineage;

  /** The batch before it in its lineage. */
  @Nullable Batch previous;

  /** From here on the client itself no longer lays these pieces over what is published. */
  int overlayEnd = Operation.NEVER;

  /** From here on the client may have forgotten what it could not publish. */
  int forgotten = Operation.NEVER;

  private @Nullable Operation asked;

  Batch(int lineage) {
    this.lineage = lineage;
  }

  /** A publish was asked for that includes it. */
  void ask(Operation publish) {
    if (asked != null) return;
    asked = publish;
    earliest = Bound.begin(publish, Bound.Why.ITSELF, Run.ZEROS);
  }

  /** That publish is done. */
  void published(Operation publish) {
    happenedBefore(Bound.end(publish, Bound.Why.ITSELF, Run.ZEROS));
    overlayEnd = publish.ended();
  }

  @Override
  @Nullable Operation asked() {
    return asked;
  }

  @Override
  public String toString() {
    return asked == null ? "an unpublished batch" : "the publish " + asked;
  }
}
