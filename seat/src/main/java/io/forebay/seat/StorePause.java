package io.forebay.seat;

import io.forebay.backing.BackingFailure;
import io.forebay.backing.RetryPace;

/**
 * Holds all of a tree back while its store cannot be used at all: however many files wait, a store
 * that is away is asked only now and then. Called by its seat's loop only.
 */
final class StorePause {
  private final Seat seat;
  private final RetryPace pace;
  private long untilNanos;

  StorePause(Seat seat, RetryPace pace) {
    this.seat = seat;
    this.pace = pace;
    this.untilNanos = seat.nanos();
  }

  boolean isOn() {
    return seat.nanos() - untilNanos < 0;
  }

  /** Something failed. What was under way beside it fails too, and does not count again. */
  void failed(BackingFailure failure) {
    if (isOn() || !concernsAll(failure)) return;
    untilNanos = seat.nanos() + pace.failed(failure.advice());
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
    untilNanos = seat.nanos();
  }
}
