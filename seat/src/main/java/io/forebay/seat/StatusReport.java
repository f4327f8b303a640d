// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat;

import io.forebay.base.StageKeys;
import io.forebay.ring.Instance;
import io.forebay.seat.group.GroupHome;
import io.forebay.seat.group.GroupSeat;
import io.forebay.seat.group.MemberGroups;
import io.forebay.seat.neighbour.Overload;
import io.forebay.seat.part.Basics;
import io.forebay.seat.put.Intake;
import io.forebay.store.Store;
import io.forebay.store.StoreStats;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.Statuses;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The status of a seat, for operators. */
final class StatusReport {
  private final Basics basics;
  private final MemberGroups groups;
  private final Overload overload;
  private final Intake intake;
  private final LimitCounts limits;

  StatusReport(
      Basics basics, MemberGroups groups, Overload overload, Intake intake, LimitCounts limits) {
    this.basics = basics;
    this.groups = groups;
    this.overload = overload;
    this.intake = intake;
    this.limits = limits;
  }

  Statuses.SeatStatus now(int connections, Statuses.Counters counters, boolean insecure) {
    Store store = basics.store();
    StoreStats stats = store.stats();
    long segment = store.config().segmentBytes();
    return new Statuses.SeatStatus(
        basics.self().id(),
        basics.self().incarnation(),
        basics.maps().mapEpoch(),
        basics.timers().nanos() - basics.self().startedNanos(),
        tier(stats.memory(), segment, store.config().mode() != StoreConfig.Mode.SSD),
        tier(stats.ssd(), segment, true),
        stats.recordsIndexed(),
        stats.liveBytes(),
        connections,
        overload.state(),
        intake.pressure(),
        counters,
        groups.all().stream().map(GroupSeat::status).toList(),
        limits.with(basics.counters().limits()).with(basics.events().lostLines()).now(),
        insecure);
  }

  List<String> instancesToStage() {
    List<String> names = new ArrayList<>();
    for (GroupSeat group : groups.all()) {
      GroupHome home = group.home();
      if (home == null || !home.leased()) continue;
      Set<Integer> numbers = new TreeSet<>(home.state().instancesWithPairs(StageKeys.OPEN));
      for (int number : home.state().instancesWithPairs(StageKeys.DUE)) {
        Instance instance = basics.maps().instance(number);
        if (instance != null && instance.drain().ending()) numbers.add(number);
      }
      for (int number : numbers) {
        Instance instance = basics.maps().instance(number);
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
