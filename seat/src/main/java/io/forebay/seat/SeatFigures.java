// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat;

import io.forebay.base.latency.Latencies;
import io.forebay.ring.RingMap;
import io.forebay.seat.drain.Undrained;
import io.forebay.seat.part.SeatLatencies;
import io.forebay.store.StoreStats;
import io.forebay.wire.message.Statuses;
import io.forebay.wire.message.Uses;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a seat tells monitoring systems: its status, and what only they need. A copy, for any
 * thread.
 *
 * @param uses what the groups that it serves have taken of instances
 * @param latencies how long its operations took
 * @param map the one that it follows; null if it has seen none
 */
public record SeatFigures(
    Statuses.SeatStatus status,
    StoreStats store,
    Waiting waiting,
    List<Uses.GroupUse> uses,
    Drains drains,
    Map<SeatLatencies.Operation, Latencies> latencies,
    @Nullable RingMap map) {
  public SeatFigures {
    uses = List.copyOf(uses);
    latencies = Map.copyOf(latencies);
  }

  /**
   * Drains at this seat.
   *
   * @param undrained what waits for its drain, by tree
   * @param nowNanos the seat's clock
   * @param calls calls of backing stores that are not answered
   * @param unusable backing stores that cannot be opened
   */
  public record Drains(List<Undrained> undrained, long nowNanos, int calls, int unusable) {
    public Drains {
      undrained = List.copyOf(undrained);
    }
  }

  /**
   * What waits.
   *
   * @param held connections whose payload has no room
   * @param heldNanos how long connections were held since the start, all added up
   * @param copies records that are to be sent to other seats
   * @param copyBytes their bytes
   */
  public record Waiting(int held, long heldNanos, int copies, long copyBytes) {}
}
