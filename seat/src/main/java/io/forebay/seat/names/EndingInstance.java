// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import io.forebay.base.StageKeys;
import io.forebay.wire.message.Names;
import java.util.function.Predicate;

/** Which changes an instance takes while it ends. Stateless. */
final class EndingInstance {
  private EndingInstance() {}

  /**
   * Whether a change is taken: of sessions and locks, and notes of stages that servers still work
   * on. A new stage is not: the home may have reported already that no stage is left.
   *
   * @param hasPair whether the instance has a pair of that key here
   */
  static boolean takes(Names.Change change, Predicate<String> hasPair) {
    return switch (change) {
      case Names.BeginSession begin -> true;
      case Names.EndSession end -> true;
      case Names.Unlock unlock -> true;
      case Names.CancelLock cancel -> true;
      // A pair's value needs a number and room before its key is known.
      case Names.TakeNumbers numbers -> true;
      case Names.TakeRoom room -> true;
      case Names.PutPair put -> isMarked(StageKeys.stageOf(put.key()), hasPair);
      case Names.DeletePair delete -> !StageKeys.stageOf(delete.key()).isEmpty();
      default -> false;
    };
  }

  private static boolean isMarked(String stage, Predicate<String> hasPair) {
    if (stage.isEmpty()) return false;
    return hasPair.test(StageKeys.OPEN + stage) || hasPair.test(StageKeys.DUE + stage);
  }
}
