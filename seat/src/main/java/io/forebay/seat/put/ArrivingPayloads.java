// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.put;

import io.forebay.base.MonotonicClock;
import io.forebay.wire.Connection;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The payloads of clients that are on their way into the log, oldest first. When others wait for
 * the room of these, one that takes long is ended: senders of a byte a second must not keep all
 * other clients waiting.
 */
final class ArrivingPayloads {
  /** One of them. */
  static final class Arriving {
    private final Connection connection;
    private final long sinceNanos;

    private Arriving(Connection connection, long sinceNanos) {
      this.connection = connection;
      this.sinceNanos = sinceNanos;
    }
  }

  private final MonotonicClock clock;
  private final LimitCounts counts;
  private final Set<Arriving> arriving = new LinkedHashSet<>();

  ArrivingPayloads(MonotonicClock clock, LimitCounts counts) {
    this.clock = clock;
    this.counts = counts;
  }

  Arriving begin(Connection connection) {
    Arriving begun = new Arriving(connection, clock.nanos());
    arriving.add(begun);
    return begun;
  }

  /** It is here, or its connection is closed. */
  void end(Arriving ended) {
    arriving.remove(ended);
  }

  /** A payload waits for room: closes the connection of the oldest one if it takes long. */
  void makeRoom() {
    Iterator<Arriving> all = arriving.iterator();
    if (!all.hasNext()) return;
    Arriving oldest = all.next();
    if (clock.nanos() - oldest.sinceNanos < Limit.SLOW_PAYLOADS.value()) return;
    all.remove();
    counts.reached(Limit.SLOW_PAYLOADS);
    oldest.connection.close("its payload came slowly, and others waited for the room");
  }
}
