// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.file;

import io.forebay.simulation.history.Operation;
import io.forebay.simulation.history.Run;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pieces of one client that are published together: at once, in the order of their writing. */
public final class Batch extends Change {
  public final List<Piece> pieces = new ArrayList<>();

  /** Batches of one lineage are published in order, none without those before it. */
  public final int lineage;

  /** The batch before it in its lineage. */
  public @Nullable Batch previous;

  /** From here on the client no longer puts these pieces over the published content. */
  public int overlayEnd = Operation.NEVER;

  /** From here on the client may have dropped what it could not publish. */
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
  public @Nullable Operation asked() {
    return asked;
  }

  @Override
  public String toString() {
    return asked == null ? "an unpublished batch" : "the publish " + asked;
  }
}
