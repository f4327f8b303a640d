// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.pair;

import io.forebay.simulation.history.Action;
import io.forebay.simulation.history.Ending;
import io.forebay.simulation.history.Operation;
import io.forebay.simulation.history.Rule;
import io.forebay.simulation.history.Run;
import io.forebay.simulation.history.Violation;
import io.forebay.simulation.history.file.Bound;
import io.forebay.simulation.history.file.Involved;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks one pair: first each get separately, whether it saw one complete value that was put there;
 * then all together, whether they can have happened one after another.
 *
 * <p>The latter walks along the history and keeps every state in which the pair can be. An
 * operation is done at the latest when it ends; so at each end, the open operations are applied in
 * every order that ends with this one. States that allow no such order are dropped. If no state is
 * left, no order explains the history.
 */
public final class PairCheck {
  /** A begin or an end, or the time behind which an operation cannot happen. */
  private record Event(int position, PairOperation operation, boolean begin) {}

  private final PairHistory pair;
  private final Map<Long, Operation> writers;
  private final List<Violation> violations = new ArrayList<>();

  public PairCheck(PairHistory pair, Map<Long, Operation> writers) {
    this.pair = pair;
    this.writers = writers;
  }

  public List<Violation> check() {
    for (Operation operation : pair.operations) {
      if (operation.ending() instanceof Ending.Saw(List<Run> runs)) checkValue(operation, runs);
    }
    if (violations.isEmpty()) checkOrder();
    return violations;
  }

  private void checkValue(Operation get, List<Run> runs) {
    TreeSet<Long> values = new TreeSet<>();
    long at = 0;
    for (Run run : runs) {
      if (run.offset() > at) values.add(Run.ZEROS);
      values.add(run.value());
      at = run.endOffset();
    }
    if (values.size() > 1) {
      violate(Rule.PAIR_TORN, get, "saw a mixture of values " + values, null);
      return;
    }
    // An empty value has no runs, and does not identify itself.
    if (values.isEmpty()) return;
    long value = values.first();
    Operation put = writers.get(value);
    String saw = "saw " + Bound.tell(value);
    if (put == null) {
      violate(Rule.NEVER_WRITTEN, get, saw + ", which no client wrote", null);
    } else if (!(put.action() instanceof Action.PutPair what) || !what.key().equals(pair.key)) {
      violate(Rule.NEVER_WRITTEN, get, saw + ", which was written elsewhere by " + put, put);
    } else if (put.begun() > get.ended()) {
      violate(Rule.NEVER_WRITTEN, get, saw + ", which was put only later by " + put, put);
    } else if (put.isRefused()) {
      violate(Rule.REFUSED_SEEN, get, saw + ", which was refused: " + put, put);
    } else if (at != what.sizeBytes()) {
      String sizes = at + " of " + what.sizeBytes() + " bytes of value " + value;
      violate(Rule.PAIR_TORN, get, "saw " + sizes + ", put by " + put, put);
    }
  }

  private void checkOrder() {
    PairStates states = new PairStates();
    for (Event event : events()) {
      if (event.begin()) {
        states.begin(event.operation());
        continue;
      }
      Operation operation = event.operation().operation();
      switch (states.end(event.operation())) {
        case POSSIBLE -> {}
        case TOO_MANY -> {
          violate(Rule.PAIR_UNDECIDED, operation, "ended when too much was open", null);
          return;
        }
        case IMPOSSIBLE -> {
          String what = "ended with " + operation.ending() + ", which no order of the operations";
          String instead = " on the pair explains: then it could have been " + states.possible();
          violate(Rule.PAIR_NOT_LINEARIZABLE, operation, what + instead, null);
          return;
        }
      }
    }
  }

  private List<Event> events() {
    Set<Long> seen = new TreeSet<>();
    for (Operation operation : pair.operations) {
      if (operation.ending() instanceof Ending.Saw(List<Run> runs)) {
        for (Run run : runs) seen.add(run.value());
      }
    }
    List<Event> events = new ArrayList<>();
    for (Operation operation : pair.operations) {
      if (!PairOperation.matters(operation)) continue;
      boolean isSeen =
          operation.action() instanceof Action.PutPair put && seen.contains(put.value());
      PairOperation what = new PairOperation(operation, isSeen, pair.tooLate(operation));
      events.add(new Event(operation.begun(), what, true));
      if (what.last() != Operation.NEVER) events.add(new Event(what.last(), what, false));
    }
    // Operations of one ended session share their end; the sort keeps their order.
    events.sort(Comparator.comparingInt(Event::position));
    return events;
  }

  private void violate(Rule rule, Operation culprit, String what, @Nullable Operation other) {
    String name = culprit.action() instanceof Action.GetPair ? "get " : "operation ";
    violations.add(
        new Violation(
            rule,
            name + culprit + " of pair '" + pair.key + "' " + what,
            new Involved().and(culprit).and(other).operations()));
  }
}
