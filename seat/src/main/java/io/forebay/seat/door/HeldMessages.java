// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.door;

import io.forebay.base.Timers;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.codec.MessageCodec;
import java.util.ArrayDeque;

/**
 * Messages of an epoch that this seat has not entered yet (P12): held until it has, for a bounded
 * time and in bounded memory.
 */
final class HeldMessages {
  /** Takes a message again, or learns that its hold timed out. */
  interface Taker {
    void again(Request request);

    void inVain(Request request);
  }

  private record Held(Request request, long bytes, long sinceNanos) {}

  static final int HELD_MAX = Math.toIntExact(Limit.HELD_MESSAGES.value());

  /** As they travel; in memory they take a few times as much. */
  static final long HELD_BYTES_MAX = 32L * 1024 * 1024;

  private static final ProtocolTimes.Requests TIMES = ProtocolTimes.DEFAULT.requests();

  private final Timers timers;
  private final Taker taker;
  private final LimitCounts limits;
  private final ArrayDeque<Held> held = new ArrayDeque<>();
  private long heldBytes;

  HeldMessages(Timers timers, Taker taker, LimitCounts limits) {
    this.limits = limits;
    this.timers = timers;
    this.taker = taker;
  }

  void hold(Request request) {
    long bytes = MessageCodec.lengthBytes(request.message());
    if (held.size() == HELD_MAX || heldBytes + bytes > HELD_BYTES_MAX) {
      limits.reached(Limit.HELD_MESSAGES);
      taker.inVain(request);
      return;
    }
    heldBytes += bytes;
    held.add(new Held(request, bytes, timers.nanos()));
  }

  /** A newer epoch has been entered: each gets another chance. */
  void release() {
    for (int left = held.size(); left > 0; left--) {
      taker.again(next());
    }
  }

  void poll() {
    while (!held.isEmpty() && timers.nanos() - held.element().sinceNanos > TIMES.heldNanos()) {
      taker.inVain(next());
    }
  }

  private Request next() {
    Held first = held.remove();
    heldBytes -= first.bytes;
    return first.request;
  }
}
