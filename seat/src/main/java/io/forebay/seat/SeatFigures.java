// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat;

import io.forebay.ring.RingMap;
import io.forebay.store.StoreStats;
import io.forebay.wire.message.Statuses;
import io.forebay.wire.message.Uses;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a seat tells monitoring systems: its status, and what only they need. A copy, for any
 * thread.
 *
 * @param uses what the groups that it serves have taken of instances
 * @param map the one that it follows; null if it has seen none
 */
public record SeatFigures(
    Statuses.SeatStatus status,
    StoreStats store,
    Waiting waiting,
    List<Uses.GroupUse> uses,
    @Nullable RingMap map) {
  public SeatFigures {
    uses = List.copyOf(uses);
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
