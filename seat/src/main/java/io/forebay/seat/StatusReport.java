// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat;

import io.forebay.ring.Instance;
import io.forebay.seat.group.GroupHome;
import io.forebay.seat.group.GroupSeat;
import io.forebay.seat.part.Basics;
import io.forebay.store.Store;
import io.forebay.store.StoreStats;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.message.Statuses;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What a seat tells people about itself. */
final class StatusReport {
  private StatusReport() {}

  static Statuses.SeatStatus of(Seat seat, int connections, Collection<GroupSeat> groups) {
    Basics basics = seat.basics();
    Store store = basics.store();
    StoreStats stats = store.stats();
    long segment = store.config().segmentBytes();
    return new Statuses.SeatStatus(
        seat.id(),
        basics.self().incarnation(),
        basics.maps().mapEpoch(),
        basics.timers().nanos() - basics.self().startedNanos(),
        tier(stats.memory(), segment, store.config().mode() != StoreConfig.Mode.SSD),
        tier(stats.ssd(), segment, true),
        stats.recordsIndexed(),
        stats.liveBytes(),
        connections,
        seat.overload().state(),
        seat.intake().pressure(),
        basics.counters().now(seat.mending().lost(), seat.drainWriter().mostBytes()),
        groups.stream().map(GroupSeat::status).toList());
  }

  static List<String> instancesWithPairs(Seat seat, String prefix) {
    List<String> names = new ArrayList<>();
    for (GroupSeat group : seat.groups()) {
      GroupHome home = group.home();
      if (home == null || !home.leased()) continue;
      for (int number : home.state().instancesWithPairs(prefix)) {
        Instance instance = seat.basics().maps().instance(number);
        if (instance != null) names.add(instance.name());
      }
    }
    return names;
  }

  /**
   * A tier as it is.
   *
   * @param keeps whether records are kept there; write buffers may die with the process
   */
  private static Statuses.Tier tier(StoreStats.Tier tier, long segmentBytes, boolean keeps) {
    return new Statuses.Tier(
        (tier.max() - tier.unused() - tier.missing()) * segmentBytes,
        tier.max() * segmentBytes,
        tier.missing() * segmentBytes,
        keeps ? tier.dying() * segmentBytes : 0);
  }
}
