// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import io.forebay.base.Timers;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs steps of requests that only read the seat's state. If such a step throws, it has changed
 * nothing, so it fails its own request and not the seat. Steps that change state never run here:
 * after an exception in the middle of a change nothing may be acknowledged any more, and the seat
 * stops.
 */
public final class ReadGuard {
  /** A step that may find that there is nothing to say yet. */
  public interface Step {
    @Nullable Message run();
  }

  /** The minimum time between two stack traces of failures that come with every request. */
  private static final long TOLD_NANOS = 10_000_000_000L;

  private final Timers timers;
  private final SeatEvents events;
  private boolean quiet;

  public ReadGuard(Timers timers, SeatEvents events) {
    this.timers = timers;
    this.events = events;
  }

  /**
   * The answer of a step that changes nothing.
   *
   * @param what names the request, for people
   */
  public Message answer(String what, Supplier<? extends Message> step) {
    try {
      return step.get();
    } catch (RuntimeException | StackOverflowError e) {
      return failed(what, e);
    }
  }

  /** The same where a step may have no answer. */
  public @Nullable Message maybeAnswer(String what, Step step) {
    try {
      return step.run();
    } catch (RuntimeException | StackOverflowError e) {
      return failed(what, e);
    }
  }

  private Message failed(String what, Throwable cause) {
    tell(what, cause);
    return new Replies.Failed(
        ErrorCode.FAILED, "this seat failed to answer " + what + "; its log tells why");
  }

  private void tell(String what, Throwable cause) {
    if (quiet) return;
    quiet = true;
    timers.after(TOLD_NANOS, () -> quiet = false);
    events.requestFailed(
        "a request failed, and was refused: " + what + ". It changed nothing", cause);
  }
}
