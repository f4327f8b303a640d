// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import io.forebay.base.SeatId;
import io.forebay.cli.use.ProtectionState;
import io.forebay.client.Cluster;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status of a cluster at one moment.
 *
 * @param seats the status of each seat that answers; the others are in {@code silent}
 * @param silent why a seat did not answer
 * @param protections what write protection refuses at present, as sentences
 */
record ClusterStatus(
    long nanos,
    RingMap map,
    Statuses.ManagerStatus manager,
    Map<SeatId, Statuses.SeatStatus> seats,
    Map<SeatId, String> silent,
    List<String> protections) {
  static ClusterStatus ask(Cluster cluster, long nowNanos) throws IOException {
    Statuses.ManagerStatus manager = cluster.managerStatus();
    RingMap map = cluster.map();
    Map<SeatId, Statuses.SeatStatus> seats = new LinkedHashMap<>();
    Map<SeatId, String> silent = new LinkedHashMap<>();
    for (SeatEntry seat : map.seats()) {
      if (seat.stay() == SeatEntry.Stay.LEFT) continue;
      try {
        seats.put(seat.id(), cluster.seatStatus(seat.id()));
      } catch (IOException e) {
        silent.put(seat.id(), String.valueOf(e.getMessage()));
      }
    }
    List<String> protections = ProtectionState.sentences(cluster);
    return new ClusterStatus(nowNanos, map, manager, seats, silent, protections);
  }

  /** Whether the manager or a seat believes every program that reaches it. */
  boolean isInsecure() {
    return manager.insecure() || seats.values().stream().anyMatch(Statuses.SeatStatus::insecure);
  }

  /** The status of a seat, or null if it did not answer. */
  Statuses.@Nullable SeatStatus of(SeatId seat) {
    return seats.get(seat);
  }

  /** The status of a group as a seat reports it, or null. */
  Statuses.@Nullable GroupStatus of(SeatId seat, io.forebay.base.GroupId group) {
    Statuses.SeatStatus status = seats.get(seat);
    if (status == null) return null;
    for (Statuses.GroupStatus each : status.groups()) {
      if (each.group().equals(group)) return each;
    }
    return null;
  }
}
