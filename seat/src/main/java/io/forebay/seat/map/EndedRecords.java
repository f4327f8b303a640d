// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.map;

import io.forebay.ring.ended.EndedInstances;
import io.forebay.store.RecordWalk;
import io.forebay.store.Store;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the records of instances that have ended (P37), once for each instance. Records that
 * arrive later are found by {@code reclaim.Sweep}.
 *
 * <ol>
 *   <li>A few instances get a tombstone each, at once: it is also for records on their way.
 *   <li>After a long absence there are too many for that, since each tombstone looks at all
 *       records. The records are walked once, a segment at a call, and only instances that have
 *       some here get tombstones.
 * </ol>
 *
 * Called by the seat's loop only.
 */
final class EndedRecords {
  /** So many instances get tombstones without a look at the records. */
  static final int AT_ONCE_MAX = 16;

  private final Store store;
  private EndedInstances dropped = EndedInstances.NONE;

  /** A walk for the instances that had ended when it began, or null. */
  private @Nullable RecordWalk walk;

  private EndedInstances walkedFor = EndedInstances.NONE;
  private final Set<Integer> found = new TreeSet<>();

  EndedRecords(Store store) {
    this.store = store;
  }

  /** Continues from the record of the previous process. */
  void restore(EndedInstances before) {
    dropped = before;
  }

  /** The instances whose records are deleted. */
  EndedInstances dropped() {
    return dropped;
  }

  /** Goes on with the deletion; returns whether more instances are done. */
  boolean drop(EndedInstances ended) {
    if (walk != null) return step();
    EndedInstances left = ended.without(dropped);
    if (left.isEmpty()) return false;
    if (left.count() > AT_ONCE_MAX) {
      walkedFor = ended;
      found.clear();
      walk = store.walk();
      return step();
    }
    Set<Integer> numbers = new TreeSet<>();
    for (EndedInstances.Range range : left.ranges()) {
      for (long number = range.first(); number <= range.last(); number++) numbers.add((int) number);
    }
    if (!killed(numbers)) return false;
    dropped = ended;
    return true;
  }

  private boolean step() {
    RecordWalk under = walk;
    EndedInstances left = walkedFor.without(dropped);
    boolean more =
        under != null
            && under.next(
                (id, file, group, bytes) -> note(left, file.instance()),
                (id, file, group, bytes) -> note(left, file.instance()));
    // Without room the tombstones are written at a later call.
    if (more || !killed(found)) return false;
    walk = null;
    dropped = walkedFor;
    return true;
  }

  private void note(EndedInstances left, int instance) {
    if (left.contains(instance)) found.add(instance);
  }

  /** Writes tombstones; returns whether there was room for all of them. */
  private boolean killed(Set<Integer> instances) {
    List<Scope> scopes = new ArrayList<>();
    for (int instance : instances) {
      scopes.add(new Scope.WholeInstance(instance));
      if (scopes.size() < store.scopesMax()) continue;
      if (!killed(scopes)) return false;
      scopes.clear();
    }
    return scopes.isEmpty() || killed(scopes);
  }

  private boolean killed(List<Scope> scopes) {
    return store.kill(List.copyOf(scopes), Level.KEPT, answer -> {}) != Commit.FULL;
  }
}
