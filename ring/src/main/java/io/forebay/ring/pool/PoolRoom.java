// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring.pool;

import io.forebay.base.SeatId;
import io.forebay.ring.Allocation;
import io.forebay.ring.Instance;
import io.forebay.ring.Pool;
import io.forebay.ring.RingArrangement;
import io.forebay.ring.SeatEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The granules of a pool: how many each seat can keep, and how many of them are promised. A granule
 * of a share is kept by every member that its group should have, so each of them has one less free.
 *
 * <p>A forced granule must be on an SSD. What is not forced may have been spilled there, too. So a
 * seat with a forced granule promises no more than its SSD keeps.
 */
public final class PoolRoom {
  /** The granules of a seat. */
  private static final class Room {
    final SeatEntry seat;
    final int keeps;
    final int forcedKeeps;
    int promised;
    int forced;

    Room(SeatEntry seat, long granuleBytes) {
      this.seat = seat;
      this.keeps = granules(seat.keepsBytes(), granuleBytes);
      this.forcedKeeps = Math.min(keeps, granules(seat.forcedBytes(), granuleBytes));
    }

    private static int granules(long bytes, long granuleBytes) {
      return (int) Math.min(Integer.MAX_VALUE, bytes / granuleBytes);
    }

    int limit(boolean alsoForced) {
      return alsoForced || forced > 0 ? forcedKeeps : keeps;
    }

    int free(boolean toForce) {
      return Math.max(0, limit(toForce) - promised);
    }
  }

  private final Pool pool;
  private final List<SeatEntry> ring;
  private final Map<SeatId, Room> rooms = new LinkedHashMap<>();
  private final Map<Integer, Map<SeatId, List<Room>>> members = new LinkedHashMap<>();

  /** A pool of which nothing is promised yet. */
  private PoolRoom(Pool pool, List<SeatEntry> ring) {
    this.pool = pool;
    this.ring = List.copyOf(ring);
    for (SeatEntry seat : ring) {
      if (isIn(seat)) rooms.put(seat.id(), new Room(seat, pool.granuleBytes()));
    }
  }

  /** The room of a pool beside the promises of these instances. */
  public static PoolRoom of(Pool pool, List<SeatEntry> ring, Collection<Instance> instances) {
    PoolRoom room = new PoolRoom(pool, ring);
    for (Instance instance : instances) {
      Allocation allocation = instance.allocation();
      boolean here = allocation.pool().equals(pool.name());
      if (!here) continue;
      for (Allocation.Share share : allocation.shares()) {
        room.take(share.seat(), instance.copies(), instance.forced(), share.granules());
      }
    }
    return room;
  }

  /** Whether a seat's granules count: it is here to stay, in this pool. */
  public boolean isIn(SeatEntry seat) {
    return seat.stay() == SeatEntry.Stay.HERE && seat.pool().equals(pool.name());
  }

  public Pool pool() {
    return pool;
  }

  /** The seats whose granules can be dealt, in the order of the ring. */
  public List<SeatEntry> seats() {
    return rooms.values().stream().map(room -> room.seat).toList();
  }

  public int servers() {
    return (int) seats().stream().map(SeatEntry::server).distinct().count();
  }

  /** All granules, copies counted. */
  public long quantity() {
    return rooms.values().stream().mapToLong(room -> room.keeps).sum();
  }

  /** The granules that are promised to no instance, copies counted. */
  public long free() {
    return rooms.values().stream().mapToLong(room -> room.free(false)).sum();
  }

  /** The granules that a seat has promised, copies of other seats' counted. */
  public int promised(SeatId seat) {
    Room room = rooms.get(seat);
    return room == null ? 0 : room.promised;
  }

  /** By how many granules a seat has promised more than it can keep. */
  public int excess(SeatId seat) {
    Room room = rooms.get(seat);
    return room == null ? 0 : Math.max(0, room.promised - room.limit(false));
  }

  /** How many more granules can be kept by the group that starts from a seat. */
  public int roomFrom(SeatId origin, int copies, boolean forced) {
    List<Room> group = group(origin, copies);
    if (group.size() < copies) return 0;
    int least = Integer.MAX_VALUE;
    for (Room room : group) least = Math.min(least, room.free(forced));
    return least;
  }

  /** The promised part of the fullest member of the group that starts from a seat. */
  public double load(SeatId origin, int copies) {
    double most = 0;
    for (Room room : group(origin, copies)) {
      most = Math.max(most, room.keeps == 0 ? 1 : (double) room.promised / room.keeps);
    }
    return most;
  }

  /** The seats that keep what starts from a seat. */
  public List<SeatId> keepers(SeatId origin, int copies) {
    return group(origin, copies).stream().map(room -> room.seat.id()).toList();
  }

  /** Promises granules of the group that starts from a seat; fewer than 0 gives them back. */
  public void take(SeatId origin, int copies, boolean forced, int granules) {
    for (Room room : group(origin, copies)) {
      room.promised += granules;
      if (forced) room.forced += granules;
    }
  }

  private List<Room> group(SeatId origin, int copies) {
    return members
        .computeIfAbsent(copies, key -> new LinkedHashMap<>())
        .computeIfAbsent(origin, key -> groupOf(origin, copies));
  }

  private List<Room> groupOf(SeatId origin, int copies) {
    List<Room> group = new ArrayList<>(copies);
    for (SeatEntry seat : RingArrangement.members(ring, origin, copies)) {
      Room room = rooms.get(seat.id());
      if (room != null) group.add(room);
    }
    return group;
  }
}
