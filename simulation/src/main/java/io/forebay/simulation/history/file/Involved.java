// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.file;

import io.forebay.simulation.history.Operation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operations that a violation names. */
public final class Involved {
  private final List<Operation> operations = new ArrayList<>();

  public Involved and(@Nullable Operation operation) {
    if (operation != null) operations.add(operation);
    return this;
  }

  public Involved and(@Nullable Piece piece) {
    return piece == null ? this : and(piece.write).and(piece.batch.asked());
  }

  /** A change, and the evidence for its time. */
  public Involved and(Change change) {
    return and(change.asked()).and(change.earliest).and(change.latest);
  }

  private Involved and(Bound bound) {
    return and(bound.operation()).and(bound.orderedBy());
  }

  public Involved and(List<Change.Order> path) {
    for (Change.Order order : path) and(order.read());
    return this;
  }

  public List<Operation> operations() {
    return operations;
  }
}
