// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.GroupId;
import io.forebay.base.Timers;
import io.forebay.store.log.LogId;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Maps;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Returned seats that change the map. Where that changes the epoch of groups with leases of the
 * manager, it is proposed only when none of those can be valid any more.
 */
public final class ReturningSeats {
  /** The manager's part in it. */
  public interface Host {
    /** The groups with leases of the manager whose epoch it changes. */
    List<GroupId> leased(Maps.Init init);

    /** Proposes it, and calls {@link #end} when that is decided. */
    void propose(LogId log, Maps.Init init);
  }

  private static final class Return {
    Gathering.@Nullable Guest guest;
    final Set<GroupId> closed = new TreeSet<>();

    Return(Gathering.Guest guest) {
      this.guest = guest;
    }
  }

  private final Timers timers;
  private final GrantedLeases leases;
  private final Host host;

  /** At most one for each seat of the ring. */
  private final Map<LogId, Return> underWay = new LinkedHashMap<>();

  public ReturningSeats(Timers timers, GrantedLeases leases, Host host) {
    this.timers = timers;
    this.leases = leases;
    this.host = host;
  }

  /** Adds a seat; its newest message replaces the earlier one. */
  public void add(Gathering.Guest guest) {
    LogId log = Gathering.logOf(guest.init());
    Return standing = underWay.get(log);
    if (standing != null) {
      standing.guest = guest;
      return;
    }
    underWay.put(log, new Return(guest));
    proceed(log);
  }

  private void proceed(LogId log) {
    Return ready = underWay.get(log);
    if (ready == null) return;
    Gathering.Guest guest = ready.guest;
    if (guest == null) {
      end(log);
      return;
    }
    List<GroupId> groups = host.leased(guest.init());
    ready.closed.addAll(groups);
    leases.close(groups);
    long remainingNanos = leases.remainingNanos(groups, timers.nanos());
    if (remainingNanos > 0) timers.after(remainingNanos, () -> proceed(log));
    else host.propose(log, guest.init());
  }

  /** Removes a decided return, and returns its waiting caller. */
  public Gathering.@Nullable Guest end(LogId log) {
    Return over = underWay.remove(log);
    if (over == null) return null;
    leases.open(over.closed);
    return over.guest;
  }

  /** A caller that disconnected needs no answer. */
  public void left(Connection connection) {
    for (Return each : underWay.values()) {
      Gathering.Guest guest = each.guest;
      if (guest != null && guest.caller().connection().equals(connection)) each.guest = null;
    }
  }
}
