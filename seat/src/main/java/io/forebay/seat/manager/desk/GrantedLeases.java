// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.GroupId;
import io.forebay.base.rule.Rule;
import io.forebay.seat.part.ProtocolTimes;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The leases that the manager has granted to homes without other current members. The epoch of such
 * a group is changed only when no lease of it can be valid any more: before that change is
 * proposed, the group is closed for further leases, and the manager waits for the last one.
 */
public final class GrantedLeases {
  private static final ProtocolTimes.Lease TIMES = ProtocolTimes.DEFAULT.lease();

  private final Map<GroupId, Long> endsNanos = new HashMap<>();
  private final Set<GroupId> closed = new HashSet<>();
  private long startNanos;

  /** The last leases of an earlier manager are unknown. */
  public void start(long nowNanos) {
    startNanos = nowNanos;
    endsNanos.clear();
  }

  /** Grants a lease from now on; false if none may be granted now. */
  boolean grant(GroupId group, long nowNanos) {
    if (closed.contains(group)) return false;
    endsNanos.put(group, nowNanos + TIMES.lengthNanos());
    return true;
  }

  /** Grants no lease of these groups until they are opened again. */
  void close(Collection<GroupId> groups) {
    closed.addAll(groups);
  }

  void open(Collection<GroupId> groups) {
    groups.forEach(closed::remove);
  }

  /** How long the last lease of any of the groups may still be valid, the margin included. */
  long remainingNanos(List<GroupId> groups, long nowNanos) {
    long remaining = 0;
    for (GroupId group : groups) {
      long endNanos = endsNanos.getOrDefault(group, predecessorEndNanos());
      remaining = Math.max(remaining, endNanos + TIMES.marginNanos() - nowNanos);
    }
    return remaining;
  }

  /** When the last lease that an earlier manager may have granted ends (P13, P34). */
  @Rule("P34")
  private long predecessorEndNanos() {
    return startNanos + TIMES.lengthNanos();
  }
}
