// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.group;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.seat.drain.Undrained;
import io.forebay.seat.lease.Promise;
import io.forebay.seat.map.MapMemory;
import io.forebay.seat.part.Groups;
import io.forebay.seat.put.HomePuts;
import io.forebay.seat.reclaim.HomeReclaim;
import io.forebay.seat.repair.HomeRepair;
import io.forebay.seat.right.HomeKeys;
import io.forebay.wire.message.Uses;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The groups that the seat is a member of, by the map it follows. */
public final class MemberGroups implements Groups {
  private final Supplier<GroupParts> parts;
  private final Map<GroupId, GroupSeat> groups = new TreeMap<>();

  /** The promises in groups that this seat has left, in case it comes back soon. */
  private final Map<GroupId, Promise> promises = new TreeMap<>();

  /**
   * No groups yet.
   *
   * @param parts called when the first map is followed
   */
  public MemberGroups(Supplier<GroupParts> parts) {
    this.parts = parts;
  }

  /**
   * Follows this map from now on.
   *
   * @param left runs for each group that continues without this seat
   */
  public void follow(SeatId id, RingMap newer, MapMemory memory, Runnable left) {
    for (Group group : newer.groups()) {
      if (group.indexOf(id) >= 0) {
        groups.computeIfAbsent(group.id(), joined -> joined(joined, memory)).follow(group);
      }
    }
    groups
        .values()
        .removeIf(
            known -> {
              Group group = newer.group(known.id());
              boolean gone = group == null || group.indexOf(id) < 0;
              if (gone) {
                Promise promise = known.promise();
                if (promise != null) promises.put(known.id(), promise);
                known.leave();
                left.run();
              }
              return gone;
            });
  }

  private GroupSeat joined(GroupId group, MapMemory memory) {
    GroupSeat joined =
        new GroupSeat(parts.get(), group, memory.before(group), memory.hasPromised(group));
    Promise before = promises.remove(group);
    if (before != null) joined.keep(before);
    return joined;
  }

  @Override
  public boolean isMember(GroupId group) {
    return groups.containsKey(group);
  }

  @Override
  public void giveUp(GroupId group, String reason) {
    GroupSeat member = groups.get(group);
    if (member != null) member.giveUp(reason);
  }

  public Collection<GroupSeat> all() {
    return groups.values();
  }

  public @Nullable GroupSeat of(GroupId group) {
    return groups.get(group);
  }

  /** The groups that the seat is a member of, or has left with a promise. */
  public Set<GroupId> followedOrPromised() {
    Set<GroupId> all = new TreeSet<>(groups.keySet());
    all.addAll(promises.keySet());
    return all;
  }

  /** Whether a lease may have been granted to another than the home that the group has next. */
  public boolean mayHavePromisedAgainst(GroupId group, @Nullable SeatId home) {
    GroupSeat known = groups.get(group);
    if (known != null) return known.mayHavePromisedAgainst(home);
    Promise left = promises.get(group);
    return left != null && left.isAgainst(home);
  }

  /** Null where another seat is the home. */
  public @Nullable GroupHome home(GroupId group) {
    GroupSeat known = groups.get(group);
    return known == null ? null : known.home();
  }

  /** The writes of a group with this seat as home, or null. */
  public @Nullable HomePuts puts(GroupId group) {
    GroupHome home = home(group);
    return home == null ? null : home.puts();
  }

  /** The deletions of a group with this seat as home, or null. */
  public @Nullable HomeReclaim reclaim(GroupId group) {
    GroupHome home = home(group);
    return home == null ? null : home.reclaim();
  }

  /** The repair of a group with this seat as home, or null. */
  public @Nullable HomeRepair repair(GroupId group) {
    GroupHome home = home(group);
    return home == null ? null : home.repair();
  }

  /** What the groups with this seat as home have taken of an instance, or of all for 0. */
  public Uses.UsesAre uses(int instance) {
    List<Uses.GroupUse> uses = new ArrayList<>();
    List<GroupId> served = new ArrayList<>();
    groups.forEach(
        (id, group) -> {
          GroupHome home = group.home();
          if (home == null || !home.serving()) return;
          uses.addAll(home.uses(instance));
          served.add(id);
        });
    return new Uses.UsesAre(uses, served);
  }

  /** What waits for its drain in the groups with this seat as home. */
  public List<Undrained> undrained() {
    List<Undrained> all = new ArrayList<>();
    for (GroupSeat group : groups.values()) {
      GroupHome home = group.home();
      if (home != null && home.serving()) all.addAll(home.drain().undrained());
    }
    return all;
  }

  /** The keys of a group that this seat serves under leases, or null. */
  public @Nullable HomeKeys keys(GroupId group) {
    GroupHome home = home(group);
    return home != null && home.leased() ? home.names().keys() : null;
  }
}
