// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.lease;

import io.forebay.base.SeatId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a member promised with a lease (P13): it enters no epoch with another home before the
 * promise ends.
 *
 * @param to the home that got the lease; null if it is not known which one, or there were several:
 *     such a promise is against every home
 */
public record Promise(@Nullable SeatId to, long untilNanos) {
  /** Whether another home has the lease; null means no home, against which every promise is. */
  public boolean isAgainst(@Nullable SeatId home) {
    return home == null || !home.equals(to);
  }

  public boolean holds(long nowNanos) {
    return untilNanos - nowNanos > 0;
  }

  /** A promise that keeps this one and a later one, of which this one may be over. */
  public Promise and(Promise later, long nowNanos) {
    if (!later.holds(nowNanos)) return this;
    if (!holds(nowNanos) || Objects.equals(to, later.to)) return later;
    return new Promise(null, Math.max(untilNanos, later.untilNanos));
  }
}
