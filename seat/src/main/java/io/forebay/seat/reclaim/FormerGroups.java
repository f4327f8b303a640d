// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.reclaim;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.Timers;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.seat.journal.GroupJournal;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.SeatEvents;
import io.forebay.seat.part.Self;
import io.forebay.store.RecordWalk;
import io.forebay.store.Store;
import io.forebay.store.record.Commit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Drops the records of groups that this seat has left. The manager removes a seat from a group only
 * when others hold everything; and a record comes here only while this seat is a member, so such a
 * map is newer than all records here. No tombstones are written, since the records count elsewhere:
 * if this seat becomes a member again it must be able to take them.
 *
 * <p>It waits some time first: readers with an older map may still ask, and the seat may become a
 * member again and find most records still here.
 */
public final class FormerGroups {
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private final Self seat;
  private final MapView maps;
  private final Timers timers;
  private final Store store;
  private final SeatEvents events;
  private @Nullable RecordWalk walk;
  private long dueNanos;

  /** Whether there may be something to be dropped: a process before this one may have left it. */
  private boolean wanted = true;

  private boolean followed;
  private long droppedRecords;

  public FormerGroups(Basics basics) {
    this.seat = basics.self();
    this.maps = basics.maps();
    this.timers = basics.timers();
    this.store = basics.store();
    this.events = basics.events();
  }

  /** The seat follows a map; groups may be missing in it that the process before was in. */
  public void follow() {
    if (followed) return;
    followed = true;
    later();
  }

  /** The map has a group without this seat that had it. */
  public void left() {
    wanted = true;
    walk = null;
    later();
  }

  private void later() {
    dueNanos = timers.nanos() + PATIENCE_NANOS;
  }

  /** Looks through a segment at a time. */
  public void tick() {
    RingMap map = maps.map();
    if (!wanted || !followed || map == null || timers.nanos() - dueNanos < 0) return;
    RecordWalk under = walk;
    if (under == null) {
      if (!dropJournals(map)) {
        later();
        return;
      }
      under = store.walk();
      walk = under;
    }
    List<RecordId> found = new ArrayList<>();
    boolean more =
        under.next(
            (id, file, group, bytes) -> {
              if (isLeft(map.group(new GroupId(group)))) found.add(id);
            });
    for (RecordId record : found) store.giveUp(record);
    droppedRecords += found.size();
    if (more) return;
    walk = null;
    wanted = false;
    if (droppedRecords > 0) {
      events.told(droppedRecords + " records of groups that go on without this seat were dropped");
    }
    droppedRecords = 0;
  }

  private boolean isLeft(@Nullable Group group) {
    return group != null && group.indexOf(seat.id()) < 0;
  }

  /** Entries of lower epochs no longer count, at any index; returns whether there was room. */
  private boolean dropJournals(RingMap map) {
    for (Group group : map.groups()) {
      if (!isLeft(group)) continue;
      GroupJournal journal = new GroupJournal(store, group.id());
      if (journal.last() > 0 && journal.cut(group.epoch(), 1, answer -> {}) == Commit.FULL) {
        return false;
      }
    }
    return true;
  }
}
