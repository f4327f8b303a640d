// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.put;

import io.forebay.base.Checksums;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.MapView;
import io.forebay.store.log.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * Sends records from this seat's log to the next current member in a group's order, if there is
 * one. Members that are not current are left to the home's repair: no acknowledgement waits for
 * them.
 */
public final class CopySender {
  private final MapView maps;
  private final Group group;
  private final @Nullable CopyQueue queue;

  CopySender(Basics basics, CopyQueues copies, Group group) {
    this.maps = basics.maps();
    this.group = group;
    Group.Member next = nextCurrent(group, basics.self().id());
    this.queue = next == null ? null : copies.to(next.seat());
  }

  /** The current member behind that one, or null if that one is not current or the last. */
  public static Group.@Nullable Member nextCurrent(Group group, SeatId seat) {
    int place = group.indexOf(seat);
    if (place < 0 || !group.members().get(place).current()) return null;
    for (int i = place + 1; i < group.members().size(); i++) {
      if (group.members().get(i).current()) return group.members().get(i);
    }
    return null;
  }

  /** Whether that is the next member. */
  boolean sendsTo(SeatId peer) {
    return queue != null && queue.to().equals(peer);
  }

  /** Why writers should wait before they bring more, or null. */
  @Nullable String congestion() {
    return queue != null && queue.full() ? queue.to() + " takes no more copies at present" : null;
  }

  /** Sends the record on, directly from the log. Lost copies are requested again. */
  void send(RecordHeader record, boolean forced, Checksums checksums) {
    // Copies for a seat that is away would only be outdated when it is back.
    if (queue == null || maps.away(queue.to())) return;
    queue.add(new CopyQueue.Copy(group.id(), group.epoch(), record, forced, checksums));
  }
}
