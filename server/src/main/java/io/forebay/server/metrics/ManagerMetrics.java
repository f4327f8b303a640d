// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.metrics;

import static io.forebay.metrics.Metric.gauge;

import io.forebay.metrics.Metric;
import io.forebay.metrics.Samples;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.Statuses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The metrics of a manager, and of the ring as it knows it. */
public final class ManagerMetrics {
  /**
   * What a manager tells.
   *
   * @param map the newest one that others may know; null before the ring is formed
   */
  public record Figures(Statuses.ManagerStatus status, @Nullable RingMap map) {}

  private static final String SERVING = "serving";

  private static final List<Reading<Statuses.ManagerStatus>> PLAIN =
      List.of(
          status(
              "forebay_manager_serving",
              "Whether it leads, and the ring is formed.",
              s -> Reading.flag(s.state().equals(SERVING))),
          status("forebay_manager_term", "The term of the manager that leads.", s -> s.term()),
          status("forebay_manager_map_epoch", "The epoch of its map.", s -> s.ringEpoch()),
          status(
              "forebay_manager_servers_expected",
              "Servers that the ring is formed with.",
              s -> s.expected()),
          status("forebay_manager_servers", "Servers that it knows.", s -> s.arrived()),
          status(
              "forebay_manager_servers_refused",
              "Servers that want to join and may not.",
              s -> s.refused().size()),
          status(
              "forebay_manager_insecure",
              "Whether it believes every program that reaches it.",
              s -> Reading.flag(s.insecure())),
          status(
              "forebay_manager_leader_known",
              "Whether it knows a manager that leads.",
              s -> Reading.flag(s.managers().stream().anyMatch(each -> each.leads()))));

  private static final Metric BEHIND =
      gauge(
          "forebay_manager_peer_behind_entries",
          "How many entries of the log another manager lacks, as the leader knows it.",
          "manager",
          "peer");

  private static final Metric PEER_SILENT =
      gauge(
          "forebay_manager_peer_silent_seconds",
          "How long ago another manager answered the leader.",
          "manager",
          "peer");

  private static final List<Reading<RingMap>> RING =
      List.of(
          ring("forebay_ring_groups", "Groups.", map -> map.groups().size()),
          ring(
              "forebay_ring_groups_degraded",
              "Groups with fewer current members than copies.",
              map -> map.groups().stream().filter(each -> !each.isWhole()).count()),
          ring(
              "forebay_ring_groups_unavailable",
              "Groups without any current member.",
              map -> map.groups().stream().filter(each -> each.currentMembers() == 0).count()),
          ring(
              "forebay_ring_copies_missing",
              "Copies that groups lack, all added up.",
              map -> map.groups().stream().mapToInt(ManagerMetrics::missing).sum()),
          ring("forebay_ring_seats_away", "Seats that are away or gone.", ManagerMetrics::away),
          ring("forebay_ring_instances", "Instances.", map -> map.instances().size()));

  private static final Metric SEAT_AWAY =
      gauge(
          "forebay_ring_seat_away",
          "Whether a seat has been away for so long that others replace it.",
          "manager",
          "server",
          "seat");

  private static final Metric SEAT_SILENT =
      gauge(
          "forebay_ring_seat_silent_seconds",
          "How long ago a seat reported to the manager.",
          "manager",
          "server",
          "seat");

  private static final Metric POOL_KEEPS =
      gauge(
          "forebay_pool_bytes",
          "Bytes that the seats of a pool can keep for certain.",
          "manager",
          "pool");

  private static final Metric CAPACITY =
      gauge(
          "forebay_instance_capacity_bytes",
          "The capacity of an instance; 0 if it has none.",
          "manager",
          "buffer");

  private static final Metric ENDING =
      gauge(
          "forebay_instance_ending",
          "Whether an instance is to be removed once it is drained.",
          "manager",
          "buffer");

  static final List<Metric> METRICS = metrics();

  private ManagerMetrics() {}

  private static List<Metric> metrics() {
    List<Metric> all = new ArrayList<>(Reading.metrics(PLAIN));
    all.addAll(Reading.metrics(RING));
    all.addAll(List.of(BEHIND, PEER_SILENT, SEAT_AWAY, SEAT_SILENT, POOL_KEEPS, CAPACITY, ENDING));
    return all;
  }

  private static Reading<Statuses.ManagerStatus> status(
      String name, String help, ToDoubleFunction<Statuses.ManagerStatus> from) {
    return new Reading<>(gauge(name, help, "manager"), from);
  }

  private static Reading<RingMap> ring(String name, String help, ToDoubleFunction<RingMap> from) {
    return new Reading<>(gauge(name, help, "manager"), from);
  }

  private static int missing(Group group) {
    return group.id().copies() - group.currentMembers();
  }

  private static long away(RingMap map) {
    return map.seats().stream().filter(ManagerMetrics::isAway).count();
  }

  private static boolean isAway(SeatEntry seat) {
    return seat.stay() != SeatEntry.Stay.LEFT
        && (seat.away() || seat.stay() == SeatEntry.Stay.GONE);
  }

  /** Shows a manager. */
  public static void show(Samples to, String manager, Figures figures) {
    Statuses.ManagerStatus status = figures.status();
    Reading.all(PLAIN, status, to, manager);
    for (Statuses.LimitCount limit : status.limits()) {
      to.add(SeatMetrics.LIMIT, limit.reached(), manager, "manager", limit.limit());
    }
    for (Statuses.ManagerSeen peer : status.managers()) {
      if (peer.behind() >= 0) to.add(BEHIND, peer.behind(), manager, peer.name());
      if (peer.silentNanos() >= 0) {
        to.add(PEER_SILENT, Reading.seconds(peer.silentNanos()), manager, peer.name());
      }
    }
    RingMap map = figures.map();
    // Of several, only the one that leads knows how the ring is.
    if (map == null || !status.state().equals(SERVING)) return;
    Reading.all(RING, map, to, manager);
    showSeats(to, manager, status, map);
    for (Instance instance : InstanceMetrics.shown(map)) {
      to.add(CAPACITY, instance.capacityBytes(), manager, instance.name());
      to.add(ENDING, Reading.flag(instance.drain().ending()), manager, instance.name());
    }
  }

  private static void showSeats(
      Samples to, String manager, Statuses.ManagerStatus status, RingMap map) {
    Map<String, Long> pools = new TreeMap<>();
    for (SeatEntry seat : map.seats()) {
      if (seat.stay() == SeatEntry.Stay.LEFT) continue;
      String number = Integer.toString(seat.id().number());
      to.add(SEAT_AWAY, Reading.flag(isAway(seat)), manager, seat.server(), number);
      if (!isAway(seat)) pools.merge(seat.pool(), seat.keepsBytes(), Long::sum);
    }
    for (Statuses.SeatSeen seen : status.seats()) {
      SeatEntry seat = map.seat(seen.seat());
      if (seat == null || seat.stay() == SeatEntry.Stay.LEFT || seen.silentNanos() < 0) continue;
      to.add(
          SEAT_SILENT,
          Reading.seconds(seen.silentNanos()),
          manager,
          seat.server(),
          Integer.toString(seat.id().number()));
    }
    pools.forEach((pool, bytes) -> to.add(POOL_KEEPS, bytes, manager, pool));
  }
}
