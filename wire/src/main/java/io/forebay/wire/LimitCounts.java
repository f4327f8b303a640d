// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

import io.forebay.wire.message.Statuses;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How often peers of one loop have reached each limit, since its start. */
public final class LimitCounts {
  private final Map<Limit, Long> reached = new EnumMap<>(Limit.class);

  public void reached(Limit limit) {
    reached(limit, 1);
  }

  /** The same so many times; 0 or more. */
  public void reached(Limit limit, long times) {
    reached.merge(limit, times, Long::sum);
  }

  public long of(Limit limit) {
    return reached.getOrDefault(limit, 0L);
  }

  /** The sum of these and others. */
  public LimitCounts with(LimitCounts others) {
    LimitCounts sum = new LimitCounts();
    sum.reached.putAll(reached);
    others.reached.forEach((limit, count) -> sum.reached.merge(limit, count, Long::sum));
    return sum;
  }

  /** All of them, those at 0 too. */
  public List<Statuses.LimitCount> now() {
    List<Statuses.LimitCount> counts = new ArrayList<>();
    for (Limit limit : Limit.values()) counts.add(new Statuses.LimitCount(limit.text(), of(limit)));
    return counts;
  }
}
