// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.map;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.seat.part.ProtocolTimes;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The groups in which a former home may still have a lease from this seat (P13). A seat records
 * them with each map: a process that starts with that map knows only the home in it, and must wait
 * for leases of other homes. Called by the seat's loop only.
 */
final class PromisedGroups {
  private static final long PROMISE_NANOS = ProtocolTimes.DEFAULT.lease().promiseNanos();

  private final TreeSet<GroupId> promised = new TreeSet<>();

  /** What the previous process recorded; null if there is none, or it cannot be read. */
  private @Nullable RingMap before;

  /** Whether the previous process may have granted leases of which no record can be read. */
  private boolean lost;

  /** Continues from the record of the previous process. */
  void restore(Collection<GroupId> recorded, @Nullable RingMap map) {
    promised.addAll(recorded);
    before = map;
  }

  /** The record of the previous process cannot be read. */
  void recordIsLost() {
    lost = true;
  }

  /**
   * A map has arrived, which is about to be recorded.
   *
   * @param sinceStartNanos how long this process has run
   */
  void note(RingMap newer, MapMemory.Follower follower, long sinceStartNanos) {
    Set<GroupId> followed = follower.groups();
    Set<GroupId> all = new TreeSet<>(promised);
    all.addAll(followed);
    for (Group group : newer.groups()) all.add(group.id());
    if (before != null) for (Group group : before.groups()) all.add(group.id());
    for (GroupId id : all) {
      Group group = newer.group(id);
      SeatId home = group == null ? null : group.home();
      boolean against =
          followed.contains(id)
              ? follower.mayHavePromisedAgainst(id, home)
              : mayPreviousHavePromisedAgainst(id, home, sinceStartNanos);
      if (against) promised.add(id);
      else promised.remove(id);
    }
  }

  /**
   * Whether a lease may be valid that the previous process granted to another home than the next
   * one, in a group that this process does not follow yet: several maps can arrive before it
   * follows the first, and it may die before it enters any (P13).
   *
   * @param home the next home, or null if the group is no longer in the map
   */
  private boolean mayPreviousHavePromisedAgainst(
      GroupId id, @Nullable SeatId home, long sinceStartNanos) {
    if (sinceStartNanos >= PROMISE_NANOS) return false;
    Group known = before == null ? null : before.group(id);
    return has(id) || (known != null && !known.home().equals(home));
  }

  /** Whether a lease may be valid that was granted to a home before the one in the record. */
  boolean has(GroupId group) {
    return lost || promised.contains(group);
  }

  Collection<GroupId> all() {
    return promised;
  }
}
