// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.testing.TestSeed;
import java.util.ArrayList;
import java.util.List;

/** Maps for tests. */
final class Rings {
  static final long CLUSTER = 77;

  private Rings() {}

  /** The seed of a random test: printed, and taken from {@code -Dforebay.seed} if given. */
  static long seed(String test) {
    long seed = TestSeed.first(test);
    System.out.println(test + ": -Dforebay.seed=" + seed);
    return seed;
  }

  static SeatEntry seat(int number, String server, int weight) {
    return new SeatEntry(
        new SeatId(number),
        server,
        "host-of-" + server,
        number * 31L,
        number * 17L,
        1,
        1,
        List.of("127.0.0.1:" + (7000 + number)),
        1L << 30,
        1L << 31,
        weight,
        false);
  }

  /** Seats numbered from 1, each server with its seats one after another. */
  static List<SeatEntry> seats(int... seatsOfServers) {
    List<SeatEntry> seats = new ArrayList<>();
    for (int server = 0; server < seatsOfServers.length; server++) {
      for (int i = 0; i < seatsOfServers[server]; i++) {
        seats.add(seat(seats.size() + 1, "server-" + (server + 1), 1));
      }
    }
    return seats;
  }

  static RingMap map(List<SeatEntry> seats, int copies, Instance... instances) {
    List<SeatEntry> ring = RingArrangement.arrange(seats, SeatEntry::server);
    List<Group> groups = RingArrangement.groupsFor(ring, copies).groups();
    return new RingMap(CLUSTER, 1, 1, ring, groups, List.of(instances));
  }

  static Instance instance(List<SeatEntry> seats, int copies, PlacementSpec placement) {
    List<SeatId> ids = seats.stream().map(SeatEntry::id).toList();
    return new Instance(
        1,
        "scratch",
        1000,
        100,
        Instance.Lifetime.PERSISTENT,
        Instance.Access.SHARED,
        0,
        copies,
        false,
        Instance.WhenDegraded.CONTINUE,
        placement,
        ids,
        GroupId.of(ids.get(0), copies),
        DrainSpec.NONE,
        "",
        Tenancy.OPEN,
        Allocation.NONE);
  }

  static Placement placement(List<SeatEntry> seats, PlacementSpec spec, long clientNumber) {
    Instance instance = instance(seats, 1, spec);
    return Placements.of(instance, map(seats, 1, instance), clientNumber);
  }

  /** The standard deviation of counts, relative to their mean. */
  static double deviation(int[] counts) {
    double mean = 0;
    for (int count : counts) mean += (double) count / counts.length;
    double sum = 0;
    for (int count : counts) sum += (count - mean) * (count - mean);
    return Math.sqrt(sum / counts.length) / mean;
  }
}
