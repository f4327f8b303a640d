// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.Bytes;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.rule.Rule;
import io.forebay.seat.consensus.Consensus;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.seat.manager.state.Result;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import java.util.function.Consumer;

/** Proposes commands, applies committed ones, and reports the result of each. */
public final class Decisions implements Consensus.Machine {
  private final Consensus consensus;
  private final ManagerState state;
  private final ManagerEvents events;
  private final LimitCounts limits;
  private final Runnable changed;
  private Result lastResult = Result.Done.QUIETLY;

  /**
   * Over a state that only committed commands change.
   *
   * @param changed runs after each command, before its proposer gets the result
   */
  public Decisions(
      Consensus consensus,
      ManagerState state,
      ManagerEvents events,
      LimitCounts limits,
      Runnable changed) {
    this.consensus = consensus;
    this.state = state;
    this.events = events;
    this.limits = limits;
    this.changed = changed;
  }

  /**
   * Proposes a command.
   *
   * @param applied gets the result, once it is committed
   * @param failed gets a sentence if it was not committed, or if that is unknown
   */
  public void propose(Command command, Consumer<Result> applied, Consumer<String> failed) {
    consensus.propose(
        command.encode(),
        outcome -> {
          if (isDecided(outcome)) applied.accept(loudly(lastResult));
          else failed.accept(noted(outcome));
        });
  }

  /** A caller gets a result only of a committed command (P33). */
  @Rule("P33")
  private static boolean isDecided(Consensus.Outcome outcome) {
    return outcome instanceof Consensus.Outcome.Committed;
  }

  private String noted(Consensus.Outcome outcome) {
    if (outcome.equals(Consensus.Outcome.FULL)) limits.reached(Limit.DECISIONS);
    return sentence(outcome);
  }

  private static String sentence(Consensus.Outcome outcome) {
    return switch (outcome) {
      case Consensus.Outcome.Committed committed -> "done";
      case Consensus.Outcome.Rejected rejected -> "not done: " + rejected.reason();
      case Consensus.Outcome.Unknown unknown ->
          "whether it was done is not known: " + unknown.reason();
    };
  }

  private Result loudly(Result result) {
    switch (result) {
      case Result.Done done -> done.warnings().forEach(events::warned);
      case Result.Made made -> made.warnings().forEach(events::warned);
      case Result.Refused refused -> {}
    }
    return result;
  }

  @Override
  public void apply(long index, Bytes command) {
    try {
      lastResult = state.apply(Command.decode(command));
    } catch (MalformedFields e) {
      throw new IllegalStateException("entry " + index + " of the manager's log", e);
    }
    changed.run();
  }

  @Override
  public Bytes snapshot() {
    return state.snapshot();
  }

  @Override
  public void restore(Bytes snapshot) {
    try {
      state.restore(snapshot);
    } catch (MalformedFields e) {
      throw new IllegalStateException("the snapshot in the manager's log", e);
    }
    changed.run();
  }
}
