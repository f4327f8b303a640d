// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.file;

import io.forebay.simulation.history.Action;
import io.forebay.simulation.history.Operation;
import io.forebay.simulation.history.Run;
import org.jspecify.annotations.Nullable;

/** A truncation or a hole: the range reads as zeros. */
public final class Truncation extends Change {
  final long from;
  final long to;

  /** The batch that was published with it, just before. */
  public final @Nullable Batch published;

  private final Operation operation;

  private Truncation(Operation operation, long from, long to, @Nullable Batch published) {
    this.operation = operation;
    this.from = from;
    this.to = to;
    this.published = published;
    earliest = Bound.begin(operation, Bound.Why.ITSELF, Run.ZEROS);
    if (operation.isDone()) happenedBefore(Bound.end(operation, Bound.Why.ITSELF, Run.ZEROS));
  }

  /** The range that the operation cuts, or null if it cuts none. */
  static @Nullable Truncation of(Operation operation, @Nullable Batch published) {
    return switch (operation.action()) {
      case Action.Truncate cut ->
          new Truncation(operation, cut.sizeBytes(), Long.MAX_VALUE, published);
      case Action.Punch hole ->
          new Truncation(operation, hole.offset(), hole.endOffset(), published);
      default -> null;
    };
  }

  /** Whether it cut a place; places end where truncations do. */
  public boolean covers(FileRange place) {
    return from <= place.from && place.from < to;
  }

  @Override
  Operation asked() {
    return operation;
  }

  @Override
  public String toString() {
    String what =
        to == Long.MAX_VALUE ? "truncation to " + from : "hole from %d to %d".formatted(from, to);
    return "the " + what + " bytes by " + operation;
  }
}
