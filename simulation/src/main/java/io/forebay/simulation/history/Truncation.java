package io.forebay.simulation.history;

import org.jspecify.annotations.Nullable;

/** A file was cut: from its new size on it reads as zeros. */
final class Truncation extends Change {
  final long sizeBytes;

  /** What was published with it, just before. */
  final @Nullable Batch published;

  private final Operation operation;

  Truncation(Operation operation, Action.Truncate truncate, @Nullable Batch published) {
    this.operation = operation;
    this.sizeBytes = truncate.sizeBytes();
    this.published = published;
    earliest = Bound.begin(operation, Bound.Why.ITSELF, Run.ZEROS);
    if (operation.isDone()) happenedBefore(Bound.end(operation, Bound.Why.ITSELF, Run.ZEROS));
  }

  @Override
  Operation asked() {
    return operation;
  }

  @Override
  public String toString() {
    return "the truncation to " + sizeBytes + " bytes by " + operation;
  }
}
