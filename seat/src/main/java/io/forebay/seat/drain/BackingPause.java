// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain;

import io.forebay.backing.BackingFailure;
import io.forebay.backing.RetryPace;
import io.forebay.base.Timers;
import io.forebay.seat.part.Basics;

/**
 * Pauses the drain of a whole tree while its store is unusable: an unavailable store is probed only
 * at intervals, for any number of waiting files. Called by its seat's loop only.
 */
final class BackingPause {
  private final Timers timers;
  private final RetryPace pace;
  private long untilNanos;

  BackingPause(Basics basics, RetryPace pace) {
    this.timers = basics.timers();
    this.pace = pace;
    this.untilNanos = timers.nanos();
  }

  boolean isOn() {
    return timers.nanos() - untilNanos < 0;
  }

  /** A request failed. Other pending requests fail too, and do not count again. */
  void failed(BackingFailure failure) {
    if (isOn() || !concernsAll(failure)) return;
    untilNanos = timers.nanos() + pace.failed(failure.advice());
  }

  /** Whether no other file would fare better. */
  private static boolean concernsAll(BackingFailure failure) {
    return failure instanceof BackingFailure.NoRoot
        || failure instanceof BackingFailure.WrongCredentials
        || failure instanceof BackingFailure.Unavailable;
  }

  void worked() {
    pace.worked();
    end();
  }

  /** The operator may have repaired it. */
  void end() {
    untilNanos = timers.nanos();
  }
}
