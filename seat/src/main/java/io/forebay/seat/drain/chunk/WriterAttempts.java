// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.chunk;

import io.forebay.backing.Attempt;
import io.forebay.backing.Backing;
import io.forebay.backing.Backing.Answer.Failed;
import io.forebay.base.rule.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The attempts that this seat has written to and may have open in the backing store. A deleted file
 * keeps its space while a process has it open. So an attempt is closed when its home says that it
 * is over, and also when it was idle for a while, since the home may be dead. Called by its seat's
 * loop only.
 */
final class WriterAttempts {
  /** An attempt to which nothing was written for this long is closed; a later write opens it. */
  static final long IDLE_NANOS = 30_000_000_000L;

  /** Beyond this number, the least recently written attempt counts as idle. */
  static final int OPEN_MAX = 1_024;

  private static final long LOOK_NANOS = 1_000_000_000L;

  private enum State {
    OPEN,
    /** Its home has ended it. */
    OVER,
    CLOSING
  }

  private static final class Known {
    final Backing backing;
    final Attempt attempt;
    State state = State.OPEN;
    int writes;
    long usedNanos;

    Known(Backing backing, Attempt attempt) {
      this.backing = backing;
      this.attempt = attempt;
    }

    boolean isWritten() {
      return writes > 0;
    }
  }

  private final LongSupplier clock;

  /** By id, the least recently written first. */
  private final Map<String, Known> known = new LinkedHashMap<>(16, 0.75f, true);

  private long lookedNanos;

  WriterAttempts(LongSupplier clock) {
    this.clock = clock;
    this.lookedNanos = clock.getAsLong();
  }

  /** A write is sent to the store, which is still there when its instance is destroyed. */
  void writes(Backing backing, Attempt attempt) {
    Known one = known.computeIfAbsent(id(attempt), key -> new Known(backing, attempt));
    one.writes++;
    // One that is being closed is opened again by this write.
    if (one.state == State.CLOSING) one.state = State.OPEN;
    one.usedNanos = clock.getAsLong();
  }

  /** A write has an answer, with or without success. */
  void wrote(Attempt attempt) {
    Known one = known.get(id(attempt));
    if (one == null) return;
    one.writes--;
    one.usedNanos = clock.getAsLong();
    if (one.state == State.OVER) close(one);
  }

  /** The store has forced it, which closes it unless something is written. */
  void forced(Attempt attempt) {
    Known one = known.get(id(attempt));
    if (one != null && !one.isWritten()) known.remove(id(attempt));
  }

  /** Its home has ended it: what a seat has open of it is closed (P22). */
  @Rule("P22")
  void over(Attempt attempt) {
    Known one = known.get(id(attempt));
    if (one == null) return;
    one.state = State.OVER;
    close(one);
  }

  /** Closes idle attempts, and those that could not be closed before (P22). */
  @Rule("P22")
  void tick() {
    long now = clock.getAsLong();
    if (known.isEmpty() || now - lookedNanos < LOOK_NANOS) return;
    lookedNanos = now;
    List<Known> due = new ArrayList<>();
    int surplus = known.size() - OPEN_MAX;
    for (Known one : known.values()) {
      boolean idle = now - one.usedNanos >= IDLE_NANOS || surplus-- > 0;
      if (idle || one.state == State.OVER) due.add(one);
    }
    due.forEach(this::close);
  }

  /** How many may be open. */
  int size() {
    return known.size();
  }

  private void close(Known one) {
    if (one.isWritten() || one.state == State.CLOSING) return;
    if (one.backing.room() == 0) return;
    one.state = State.CLOSING;
    one.backing.release(
        one.attempt,
        answer -> {
          if (one.state != State.CLOSING) return;
          if (answer instanceof Failed<Backing.Nothing>) {
            // The store may be away: it is tried again when it would be idle next.
            one.state = State.OPEN;
            one.usedNanos = clock.getAsLong();
          } else {
            known.remove(id(one.attempt), one);
          }
        });
  }

  private static String id(Attempt attempt) {
    return attempt.id().text();
  }
}
