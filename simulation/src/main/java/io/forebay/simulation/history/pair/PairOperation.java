// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.pair;

import io.forebay.simulation.history.Action;
import io.forebay.simulation.history.Ending;
import io.forebay.simulation.history.Operation;
import io.forebay.simulation.history.Run;
import java.util.List;

/**
 * An operation on a pair that reads or changes it.
 *
 * @param isSeen whether a get saw what it put
 * @param tooLate the position after which it cannot happen, if its fate is unknown
 */
record PairOperation(Operation operation, boolean isSeen, int tooLate) {
  /** The value of a pair that is not there. */
  static final long ABSENT = 0;

  /** Whether an operation reads or changes anything. */
  static boolean matters(Operation operation) {
    if (operation.isRefused()) return false;
    return isCertain(operation) || !(operation.action() instanceof Action.GetPair);
  }

  private static boolean isCertain(Operation operation) {
    return operation.isDone()
        || operation.ending() instanceof Ending.Saw
        || operation.ending() instanceof Ending.NotThere;
  }

  /** Whether it happened before its end; else it is free to happen later, or not at all. */
  boolean isCertain() {
    return isCertain(operation);
  }

  boolean isPut() {
    return operation.action() instanceof Action.PutPair;
  }

  /** The position by which it has happened, or never will. */
  int last() {
    return isCertain() ? operation.ended() : tooLate;
  }

  /** Whether it can have ended as it did if the pair had a value. */
  boolean canFollow(long value) {
    return switch (operation.action()) {
      case Action.DeletePair delete when operation.isDone() -> value != ABSENT;
      case Action.DeletePair delete when operation.ending() instanceof Ending.NotThere ->
          value == ABSENT;
      case Action.GetPair get when operation.ending() instanceof Ending.Saw(List<Run> runs) ->
          // A value without bytes does not tell which one it is.
          runs.isEmpty() ? value != ABSENT : value == runs.getFirst().value();
      case Action.GetPair get -> value == ABSENT;
      default -> true;
    };
  }

  /** The pair's value after it. */
  long valueAfter(long value) {
    return switch (operation.action()) {
      case Action.PutPair put -> put.value();
      case Action.DeletePair delete -> ABSENT;
      default -> value;
    };
  }
}
