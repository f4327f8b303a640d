// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.neighbour;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.rule.Rule;
import io.forebay.ring.Allocation;
import io.forebay.ring.Instance;
import io.forebay.ring.RingArrangement;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.Self;
import io.forebay.store.index.HeldBytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The room of this seat that the map promises to instances (P31). An instance may always use its
 * granules of a group. Everything beyond them, and everything of instances without granules, may
 * use only room that no instance needs for what it was promised and has not used yet.
 */
public final class PromisedRoom {
  /** Bytes of an instance in a group that this seat should be a member of. */
  private record Promise(int instance, int group, long bytes) {}

  private final Self seat;
  private final MapView maps;
  private final HeldBytes held;
  private final long keepsBytes;
  private @Nullable RingMap known;
  private List<Promise> promises = List.of();

  /**
   * Nothing is promised before there is a map.
   *
   * @param held what the seat's log holds
   * @param keepsBytes what it can keep for certain
   */
  public PromisedRoom(Self seat, MapView maps, HeldBytes held, long keepsBytes) {
    this.seat = seat;
    this.maps = maps;
    this.held = held;
    this.keepsBytes = keepsBytes;
  }

  /**
   * Whether a record may be taken (P31): the instance has room left of its granules of the group,
   * or neither this seat nor the others that keep it need the room for promises. The last record of
   * the granules may be longer than what is left: else a rest could be too short for any.
   *
   * @param spareBytes the least of what all members have to spare
   */
  @Rule("P31")
  static boolean mayTake(long promisedBytes, long heldBytes, long moreBytes, long spareBytes) {
    return heldBytes < promisedBytes || moreBytes <= spareBytes;
  }

  /** The same for a record of an instance in a group. */
  public boolean mayTake(int instance, GroupId group, long moreBytes, long spareBytes) {
    if (promises().isEmpty()) return true;
    long heldBytes = held.bytes(instance, group.number());
    return mayTake(promisedBytes(instance, group), heldBytes, moreBytes, spareBytes);
  }

  /**
   * Whether an instance has granules of a group left. Its records stay there: elsewhere they would
   * use spare room, while the granules stay reserved.
   */
  boolean hasGranulesLeft(int instance, GroupId group) {
    return held.bytes(instance, group.number()) < promisedBytes(instance, group);
  }

  /** Whether an instance has granules of a group, as far as this seat keeps them, and used all. */
  boolean hasUsedUp(int instance, GroupId group) {
    long promisedBytes = promisedBytes(instance, group);
    return promisedBytes > 0 && held.bytes(instance, group.number()) >= promisedBytes;
  }

  private long promisedBytes(int instance, GroupId group) {
    long promisedBytes = 0;
    for (Promise promise : promises()) {
      boolean own = promise.instance == instance && promise.group == group.number();
      if (own) promisedBytes += promise.bytes;
    }
    return promisedBytes;
  }

  /** The room that no promise needs; without promises, no limit. */
  public long spareBytes() {
    if (promises().isEmpty()) return Long.MAX_VALUE;
    long spareBytes = keepsBytes - held.bytes();
    for (Promise promise : promises()) {
      spareBytes -= Math.max(0, promise.bytes - held.bytes(promise.instance, promise.group));
    }
    return spareBytes;
  }

  private List<Promise> promises() {
    RingMap map = maps.map();
    if (map != null && map != known) {
      known = map;
      promises = promisesOf(map, seat.id());
    }
    return promises;
  }

  private static List<Promise> promisesOf(RingMap map, SeatId self) {
    List<Promise> found = new ArrayList<>();
    Map<GroupId, Boolean> kept = new HashMap<>();
    for (Instance instance : map.instances()) {
      Allocation allocation = instance.allocation();
      for (Allocation.Share share : allocation.shares()) {
        GroupId group = GroupId.of(share.seat(), instance.copies());
        if (kept.computeIfAbsent(group, id -> isKeptBy(self, id, map))) {
          long bytes = share.granules() * allocation.granuleBytes();
          found.add(new Promise(instance.id(), group.number(), bytes));
        }
      }
    }
    return List.copyOf(found);
  }

  private static boolean isKeptBy(SeatId self, GroupId group, RingMap map) {
    for (SeatEntry seat : RingArrangement.members(map.seats(), group.origin(), group.copies())) {
      if (seat.id().equals(self)) return true;
    }
    return false;
  }
}
