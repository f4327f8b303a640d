// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What several clients did and saw, recorded as it happens. Calls come in the order of events: an
 * operation whose end is recorded before another's begin is over before the other begins.
 *
 * <p>A client is a session. A program that starts again is another client.
 */
public final class History {
  private final List<Operation> operations = new ArrayList<>();
  private final Set<Long> values = new TreeSet<>();
  private final Set<Integer> endedClients = new TreeSet<>();
  private int positions;
  private long lastNanos = Long.MIN_VALUE;

  /** A client begins something. */
  public Operation begin(int client, Action action, long nanos) {
    if (endedClients.contains(client)) {
      throw new IllegalArgumentException("client " + client + " has ended its session");
    }
    switch (action) {
      case Action.Write write -> takeValue(write.value());
      case Action.PutPair put -> takeValue(put.value());
      case Action.EndSession end -> endedClients.add(client);
      default -> {}
    }
    Operation begun = new Operation(operations.size(), client, action, position(nanos), nanos);
    operations.add(begun);
    return begun;
  }

  /** It ended. An operation without a known end is left open. */
  public void end(Operation operation, Ending ending, long nanos) {
    if (operation.ending() != null) {
      throw new IllegalArgumentException(operation + " ended before");
    }
    if (!fits(operation.action(), ending)) {
      throw new IllegalArgumentException(operation.action() + " cannot end as " + ending);
    }
    if (ending instanceof Ending.Saw(List<Run> runs)) checkRuns(operation.action(), runs);
    operation.end(ending, position(nanos), nanos);
  }

  /** All that was begun, in order. */
  public List<Operation> operations() {
    return Collections.unmodifiableList(operations);
  }

  private void takeValue(long value) {
    if (!values.add(value)) throw new IllegalArgumentException("value " + value + " again");
  }

  private int position(long nanos) {
    if (nanos < lastNanos) {
      throw new IllegalArgumentException("the clock went back from " + lastNanos + " to " + nanos);
    }
    lastNanos = nanos;
    return positions++;
  }

  private static boolean fits(Action action, Ending ending) {
    return switch (ending) {
      case Ending.Done done ->
          !(action instanceof Action.Read) && !(action instanceof Action.GetPair);
      case Ending.Saw saw -> action instanceof Action.Read || action instanceof Action.GetPair;
      case Ending.NotThere notThere ->
          action instanceof Action.GetPair || action instanceof Action.DeletePair;
      case Ending.Refused refused -> true;
      case Ending.Unknown unknown -> true;
    };
  }

  private static void checkRuns(Action action, List<Run> runs) {
    long from = action instanceof Action.Read read ? read.offset() : 0;
    long to = action instanceof Action.Read read ? from + read.lengthBytes() : Long.MAX_VALUE;
    for (Run run : runs) {
      if (run.offset() < from || run.endOffset() > to) {
        throw new IllegalArgumentException(run + " is out of order or range in " + action);
      }
      from = run.endOffset();
    }
  }
}
