// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.pair;

import io.forebay.simulation.history.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All operations on one pair. */
public final class PairHistory {
  final String key;
  final List<Operation> operations = new ArrayList<>();

  /** When what a client asked for cannot happen any more. For looking up only. */
  private final Map<Integer, Operation> sessionEnds = new HashMap<>();

  public PairHistory(String key) {
    this.key = key;
  }

  public void add(Operation operation) {
    operations.add(operation);
  }

  public void sessionEnded(Operation end) {
    sessionEnds.put(end.client(), end);
  }

  /** The position behind which an operation that did not end well cannot happen. */
  int tooLate(Operation operation) {
    Operation end = sessionEnds.get(operation.client());
    return end == null ? Operation.NEVER : end.ended();
  }
}
