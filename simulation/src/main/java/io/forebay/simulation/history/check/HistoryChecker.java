// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.check;

import io.forebay.base.FileId;
import io.forebay.simulation.history.Action;
import io.forebay.simulation.history.History;
import io.forebay.simulation.history.Operation;
import io.forebay.simulation.history.Violation;
import io.forebay.simulation.history.file.FileHistory;
import io.forebay.simulation.history.file.FileRange;
import io.forebay.simulation.history.order.Findings;
import io.forebay.simulation.history.order.PublishOrder;
import io.forebay.simulation.history.order.ReadCheck;
import io.forebay.simulation.history.pair.PairCheck;
import io.forebay.simulation.history.pair.PairHistory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Finds behaviour that is impossible for a correct system. */
public final class HistoryChecker {
  private final Map<FileId, FileHistory> files = new TreeMap<>();
  private final Map<String, PairHistory> pairs = new TreeMap<>();

  /** For looking up only: its order is not used. */
  private final Map<Long, Operation> writers = new HashMap<>();

  private HistoryChecker() {}

  /** All violations, files first; none if the history can have come from a correct system. */
  public static List<Violation> check(History history) {
    HistoryChecker checker = new HistoryChecker();
    for (Operation operation : history.operations()) checker.add(operation);
    return checker.check();
  }

  private void add(Operation operation) {
    switch (operation.action()) {
      case Action.Write write -> writers.put(write.value(), operation);
      case Action.PutPair put -> writers.put(put.value(), operation);
      default -> {}
    }
    switch (operation.action()) {
      case Action.OnFile onFile ->
          files.computeIfAbsent(onFile.file(), FileHistory::new).add(operation);
      case Action.OnPair onPair ->
          pairs.computeIfAbsent(onPair.key(), PairHistory::new).add(operation);
      case Action.EndSession end -> {
        if (operation.isDone()) {
          for (FileHistory file : files.values()) file.sessionEnded(operation);
          for (PairHistory pair : pairs.values()) pair.sessionEnded(operation);
        }
      }
    }
  }

  private List<Violation> check() {
    List<Violation> violations = new ArrayList<>();
    for (FileHistory file : files.values()) {
      Findings findings = new Findings();
      ReadCheck reads = new ReadCheck(file, writers, findings);
      List<FileRange> places = reads.check();
      // A local violation would be reported again as a violation of the order.
      if (findings.isEmpty()) new PublishOrder(file, findings).check(places, reads.ownFirst());
      violations.addAll(findings.violations());
    }
    for (PairHistory pair : pairs.values()) {
      violations.addAll(new PairCheck(pair, writers).check());
    }
    return violations;
  }
}
