// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain;

import io.forebay.backing.BackingFailure;
import io.forebay.backing.RetryPace;
import io.forebay.base.Timers;
import io.forebay.seat.part.Basics;

/**
 * Holds all of a tree back while its store cannot be used at all: however many files wait, a store
 * that is away is asked only now and then. Called by its seat's loop only.
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

  /** Something failed. What was under way beside it fails too, and does not count again. */
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

  /** Somebody may have put it right. */
  void end() {
    untilNanos = timers.nanos();
  }
}
