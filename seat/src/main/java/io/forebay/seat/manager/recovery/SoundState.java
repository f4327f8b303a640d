// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.recovery;

import io.forebay.base.Bytes;
import io.forebay.base.fields.MalformedFields;
import io.forebay.seat.consensus.SavedLog;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.ManagerState;

/**
 * The state of a manager's log as far as the log is sound.
 *
 * @param state of no cluster if nothing is
 * @param problem why it ends where it ends; empty if no entry is known to be missing
 */
public record SoundState(ManagerState state, String problem) {
  /** There is no log. */
  public static SoundState none(String problem) {
    return new SoundState(new ManagerState(), problem);
  }

  /** Applies what could be read. */
  public static SoundState of(SavedLog log) {
    ManagerState state = new ManagerState();
    Bytes snapshot = log.snapshot();
    try {
      if (snapshot != null) state.restore(snapshot);
    } catch (MalformedFields e) {
      return none(unreadable(e));
    }
    for (Bytes command : log.commands()) {
      try {
        state.apply(Command.decode(command));
      } catch (MalformedFields e) {
        return new SoundState(state, unreadable(e));
      }
    }
    return new SoundState(state, log.complete() ? "" : "committed entries of it are lost");
  }

  private static String unreadable(MalformedFields e) {
    return "it holds what this version cannot read: " + e.getMessage();
  }
}
