// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.put;

import io.forebay.base.Timers;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.wire.Connection;
import io.forebay.wire.Landing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Connections whose next payload has no room yet: they wait, and with them their sender, for a
 * bounded time. So a full store slows its writers down.
 */
public final class Holds {
  private static final ProtocolTimes.Requests TIMES = ProtocolTimes.DEFAULT.requests();
  private static final long RESUME_NANOS = 1_000_000L;

  /** After a hold times out, the payloads behind it are refused at once for this long. */
  private static final long REFUSING_NANOS = 100_000_000L;

  private final Timers timers;
  private final Map<Connection, Long> since = new LinkedHashMap<>();
  private final Map<Connection, Long> refusing = new LinkedHashMap<>();
  private long endedNanos;
  private boolean resuming;

  public Holds(Timers timers) {
    this.timers = timers;
  }

  /** Whether the connection has waited for the maximum time; if not, it keeps waiting. */
  public boolean exhausted(Connection connection) {
    Long until = refusing.get(connection);
    if (until != null && until - timers.nanos() > 0) return true;
    Long start = since.get(connection);
    if (start == null) {
      since.put(connection, timers.nanos());
      resumeLater();
      return false;
    }
    if (timers.nanos() - start < TIMES.heldNanos()) {
      resumeLater();
      return false;
    }
    end(connection);
    refusing.put(connection, timers.nanos() + REFUSING_NANOS);
    return true;
  }

  public void closed(Connection connection) {
    end(connection);
    refusing.remove(connection);
  }

  /** The payload has room, or is no longer wanted. */
  public Landing over(Connection connection, Landing landing) {
    if (!since.isEmpty()) end(connection);
    if (!refusing.isEmpty()) refusing.remove(connection);
    return landing;
  }

  long nanos() {
    return timers.nanos();
  }

  /** How long connections have been held, all added up, those that are held now too. */
  public long heldNanos() {
    long now = timers.nanos();
    long all = endedNanos;
    for (long start : since.values()) all += now - start;
    return all;
  }

  /** The connections that are held now. */
  public int count() {
    return since.size();
  }

  private void end(Connection connection) {
    Long start = since.remove(connection);
    if (start != null) endedNanos += timers.nanos() - start;
  }

  private void resumeLater() {
    if (resuming) return;
    resuming = true;
    timers.after(
        RESUME_NANOS,
        () -> {
          resuming = false;
          for (Connection connection : new ArrayList<>(since.keySet())) {
            if (connection.isOpen()) connection.resume();
            else end(connection);
          }
        });
  }
}
