// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.state;

import io.forebay.namespace.tree.state.LockTable.Held;
import io.forebay.namespace.tree.state.LockTable.Waiting;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds out whether a request that would wait closes a cycle: its holders wait, directly or through
 * others, for the requester.
 */
final class LockCycle {
  /** A holder or waiter: an owner within a session. */
  private record Owner(long session, long number) {
    static Owner of(Held lock) {
      return new Owner(lock.session(), lock.lock().owner());
    }
  }

  private final LockTable locks;

  LockCycle(LockTable locks) {
    this.locks = locks;
  }

  boolean closesWith(Held wanted) {
    Owner asks = Owner.of(wanted);
    Set<Owner> seen = new HashSet<>();
    ArrayDeque<Owner> next = new ArrayDeque<>();
    addBlockers(wanted, seen, next);
    while (!next.isEmpty()) {
      Owner owner = next.remove();
      if (owner.equals(asks)) return true;
      for (Iterable<Waiting> requests : locks.allWaiting()) {
        for (Waiting each : requests) {
          if (Owner.of(each.wanted()).equals(owner)) addBlockers(each.wanted(), seen, next);
        }
      }
    }
    return false;
  }

  /** Adds the owners that hold the lock or have waited longer for it. */
  private void addBlockers(Held wanted, Set<Owner> seen, ArrayDeque<Owner> next) {
    for (Held other : locks.heldOf(wanted.lock().file())) {
      if (other.excludes(wanted) && seen.add(Owner.of(other))) next.add(Owner.of(other));
    }
    for (Waiting other : locks.waitingOf(wanted.lock().file())) {
      if (other.wanted().equals(wanted)) break;
      Owner owner = Owner.of(other.wanted());
      if (other.wanted().excludes(wanted) && seen.add(owner)) next.add(owner);
    }
  }
}
