// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import org.jspecify.annotations.Nullable;

/** Grants leases, while the manager serves, to homes without another current member. */
public final class LeaseDesk {
  /** Notified of an epoch that the manager's log does not know. */
  public interface Overtaken {
    void overtaken(Maps.Lease lease, Caller caller);
  }

  private final ManagerState state;
  private final GrantedLeases leases;
  private final Timers timers;
  private final Overtaken overtaken;

  public LeaseDesk(ManagerState state, GrantedLeases leases, Timers timers, Overtaken overtaken) {
    this.state = state;
    this.leases = leases;
    this.timers = timers;
    this.overtaken = overtaken;
  }

  /** Answers; says whether the asker's map is an old one. */
  public boolean answer(Maps.Lease lease, Caller caller) {
    Group group = state.map().group(lease.group());
    if (group == null) {
      caller.fail(ErrorCode.NOT_FOUND, "the map has no " + lease.group());
      return false;
    }
    if (!hasMade(state.map(), lease)) {
      overtaken.overtaken(lease, caller);
      return false;
    }
    if (lease.epoch() < group.epoch() || !lease.home().equals(soleHome(group))) {
      caller.fail(
          ErrorCode.STALE_EPOCH,
          lease.home() + " is not the only current member of " + group.id() + " in this epoch");
      return true;
    }
    if (leases.grant(lease.group(), timers.nanos())) {
      caller.answer(
          new Maps.LeaseGranted(
              lease.group(),
              lease.epoch(),
              Maps.MANAGER,
              lease.sentNanos(),
              ProtocolTimes.DEFAULT.lease().lengthNanos()));
    } else {
      caller.fail(ErrorCode.UNAVAILABLE, group.id() + " is about to change");
    }
    return false;
  }

  /** Whether a map has the epoch of a group in which its home asks for a lease, or a later one. */
  public static boolean hasMade(RingMap map, Maps.Lease lease) {
    Group group = map.group(lease.group());
    return group != null && lease.epoch() <= group.epoch();
  }

  /** The home of a group that has no other current member, or null. */
  public static @Nullable SeatId soleHome(@Nullable Group group) {
    if (group == null || !group.members().getFirst().current()) return null;
    long current = group.members().stream().filter(Group.Member::current).count();
    return current == 1 ? group.home() : null;
  }
}
