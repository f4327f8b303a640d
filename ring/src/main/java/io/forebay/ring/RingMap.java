// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.ended.EndedInstances;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The seats, groups and instances as the manager has decided: complete, numbered, immutable. */
public final class RingMap {
  private final long cluster;
  private final long term;
  private final long epoch;
  private final List<SeatEntry> seats;
  private final List<Group> groups;
  private final List<Instance> instances;
  private final EndedInstances ended;
  private final List<Pool> pools;
  private final Map<SeatId, SeatEntry> seatsById = new HashMap<>();
  private final Map<GroupId, Group> groupsById = new HashMap<>();
  private final Map<Integer, Instance> instancesById = new HashMap<>();
  private final Map<String, Instance> instancesByName = new HashMap<>();

  /** A map without settings of pools, in which no instance has ended. */
  public RingMap(
      long cluster,
      long term,
      long epoch,
      List<SeatEntry> seats,
      List<Group> groups,
      List<Instance> instances) {
    this(cluster, term, epoch, seats, groups, instances, EndedInstances.NONE, List.of());
  }

  /**
   * Makes a map.
   *
   * @param cluster never 0
   * @param term which manager's, counted
   * @param epoch grows with every change
   * @param seats in the order of the ring
   * @param instances those that have not ended
   * @param ended those that have; a number that is in neither says nothing (P37)
   */
  public RingMap(
      long cluster,
      long term,
      long epoch,
      List<SeatEntry> seats,
      List<Group> groups,
      List<Instance> instances,
      EndedInstances ended,
      List<Pool> pools) {
    this.cluster = cluster;
    this.term = term;
    this.epoch = epoch;
    this.seats = List.copyOf(seats);
    this.groups = List.copyOf(groups);
    this.instances = List.copyOf(instances);
    this.ended = ended;
    this.pools = List.copyOf(pools);
    for (SeatEntry seat : seats) require(seatsById.put(seat.id(), seat) == null, seat.id());
    for (Group group : groups) {
      require(groupsById.put(group.id(), group) == null, group.id());
      for (Group.Member member : group.members()) {
        require(seatsById.containsKey(member.seat()), group.id());
      }
    }
    for (Instance instance : instances) {
      require(instancesById.put(instance.id(), instance) == null, instance.id());
      require(!ended.contains(instance.id()), instance.id());
      require(instancesByName.put(instance.name(), instance) == null, instance.name());
    }
  }

  /**
   * The same map with only some of its instances, for clients that may not know of others. It is no
   * map for seats, and says of no instance that it has ended.
   */
  public RingMap showing(Predicate<Instance> visible) {
    List<Instance> shown = instances.stream().filter(visible).toList();
    return new RingMap(cluster, term, epoch, seats, groups, shown, EndedInstances.NONE, pools);
  }

  public long cluster() {
    return cluster;
  }

  public long term() {
    return term;
  }

  public long epoch() {
    return epoch;
  }

  /** The seats in the order of the ring: each one's successor follows it. */
  public List<SeatEntry> seats() {
    return seats;
  }

  public List<Group> groups() {
    return groups;
  }

  /** The instances that have not ended. */
  public List<Instance> instances() {
    return instances;
  }

  /** The instances that have ended. */
  public EndedInstances ended() {
    return ended;
  }

  /** The pools that there are, by name. */
  public List<Pool> pools() {
    return pools;
  }

  /** The pool of that name, or null. */
  public @Nullable Pool pool(String name) {
    for (Pool pool : pools) {
      if (pool.name().equals(name)) return pool;
    }
    return null;
  }

  public @Nullable SeatEntry seat(SeatId id) {
    return seatsById.get(id);
  }

  public @Nullable Group group(GroupId id) {
    return groupsById.get(id);
  }

  /** The instance of that number, or null; it may have ended, or be newer than this map. */
  public @Nullable Instance instance(int id) {
    return instancesById.get(id);
  }

  /** The instance of that name, or null. */
  public @Nullable Instance instance(String name) {
    return instancesByName.get(name);
  }

  private static void require(boolean holds, Object thing) {
    if (!holds) throw new IllegalArgumentException("the map contradicts itself about " + thing);
  }
}
