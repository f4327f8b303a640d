package io.forebay.seat;

import io.forebay.base.Timers;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Message;
import java.util.ArrayDeque;

/**
 * Messages of an epoch that this seat has not entered yet (P12): held until it has, for a bounded
 * time.
 */
final class HeldMessages {
  /** Takes a message again, or hears that it waited in vain. */
  interface Taker {
    void again(Connection connection, long request, Message message);

    void inVain(Connection connection, long request, Message message);
  }

  private record Held(Connection connection, long request, Message message, long sinceNanos) {}

  private static final int HELD_MAX = 10_000;
  private static final long HELD_NANOS_MAX = 2_000_000_000L;

  private final Timers timers;
  private final Taker taker;
  private final ArrayDeque<Held> held = new ArrayDeque<>();

  HeldMessages(Timers timers, Taker taker) {
    this.timers = timers;
    this.taker = taker;
  }

  void hold(Connection connection, long request, Message message) {
    if (held.size() == HELD_MAX) taker.inVain(connection, request, message);
    else held.add(new Held(connection, request, message, timers.nanos()));
  }

  /** A newer epoch has been entered: each gets another chance. */
  void release() {
    for (int left = held.size(); left > 0; left--) {
      Held each = held.remove();
      taker.again(each.connection, each.request, each.message);
    }
  }

  void poll() {
    while (!held.isEmpty() && timers.nanos() - held.element().sinceNanos > HELD_NANOS_MAX) {
      Held each = held.remove();
      taker.inVain(each.connection, each.request, each.message);
    }
  }
}
