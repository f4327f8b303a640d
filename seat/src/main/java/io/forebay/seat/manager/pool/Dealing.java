// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.pool;

import io.forebay.base.SeatId;
import io.forebay.base.rule.Rule;
import io.forebay.ring.Allocation;
import io.forebay.ring.SeatEntry;
import io.forebay.ring.pool.PoolRoom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Deals the granules of a pool to one instance:
 *
 * <ol>
 *   <li>A granule goes to the server on which the instance has the fewest, so that no server gets a
 *       second one before all have one.
 *   <li>Among these, to the one whose seats have promised the smallest part of what they can keep,
 *       the seats of its copies counted.
 *   <li>On a server, to the seat on which the instance has the fewest.
 *   <li>A seat gets none that a member of its group could not keep (P31).
 * </ol>
 *
 * <p>Large capacities are dealt several granules at a time. The same room and the same request give
 * the same shares.
 */
public final class Dealing {
  /** An instance's granules are dealt in about so many turns for each server. */
  private static final int TURNS = 8;

  private final PoolRoom room;
  private final int copies;
  private final boolean forced;
  private final List<SeatEntry> seats;
  private final Map<SeatId, String> servers = new HashMap<>();
  private final Map<SeatId, Integer> granules = new LinkedHashMap<>();
  private final Map<String, Integer> onServers = new TreeMap<>();

  private Dealing(PoolRoom room, int copies, boolean forced) {
    this.room = room;
    this.copies = copies;
    this.forced = forced;
    this.seats = room.seats();
    for (SeatEntry seat : seats) servers.put(seat.id(), seat.server());
  }

  /**
   * Adds granules to shares until there are as many as wanted, or no more fit. The room has them
   * taken afterwards.
   */
  public static List<Allocation.Share> deal(
      PoolRoom room, int copies, boolean forced, List<Allocation.Share> present, long wanted) {
    Dealing dealing = new Dealing(room, copies, forced);
    for (Allocation.Share share : present) dealing.note(share.seat(), share.granules());
    long left = wanted - present.stream().mapToLong(Allocation.Share::granules).sum();
    int servers = Math.max(1, room.servers());
    while (left > 0) {
      SeatEntry best = dealing.best();
      if (best == null) break;
      // Small beside what is left of the pool, so that copies do not take each other's last room.
      long most = Math.min(left, room.free() / copies);
      long turn = Math.min(most / ((long) TURNS * servers), dealing.roomOf(best));
      int dealt = (int) Math.max(1, turn);
      room.take(best.id(), copies, forced, dealt);
      dealing.note(best.id(), dealt);
      left -= dealt;
    }
    return dealing.shares();
  }

  /** Fewer granules: the largest shares give first, so that what is left is even. */
  public static Allocation trimmed(Allocation allocation, long wanted) {
    List<Allocation.Share> shares = new ArrayList<>(allocation.shares());
    long over = allocation.granules() - wanted;
    while (over > 0 && !shares.isEmpty()) {
      int largest = 0;
      for (int i = 0; i < shares.size(); i++) {
        if (shares.get(i).granules() >= shares.get(largest).granules()) largest = i;
      }
      Allocation.Share share = shares.get(largest);
      long step = Math.max(1, over / ((long) TURNS * shares.size()));
      int less = (int) Math.min(Math.min(step, over), share.granules());
      if (less == share.granules()) shares.remove(largest);
      else shares.set(largest, new Allocation.Share(share.seat(), share.granules() - less));
      over -= less;
    }
    return allocation.with(shares);
  }

  private void note(SeatId seat, int more) {
    granules.merge(seat, more, Integer::sum);
    String server = servers.get(seat);
    if (server != null) onServers.merge(server, more, Integer::sum);
  }

  /** The seat that gets the next granule, or null if none can keep one. */
  private @Nullable SeatEntry best() {
    SeatEntry best = null;
    for (SeatEntry seat : seats) {
      if (!hasRoom(seat)) continue;
      if (best == null || comesBefore(seat, best)) best = seat;
    }
    return best;
  }

  /** Whether all members of a seat's group can keep one more granule (P31). */
  @Rule("P31")
  private boolean hasRoom(SeatEntry seat) {
    return roomOf(seat) > 0;
  }

  private int roomOf(SeatEntry seat) {
    return room.roomFrom(seat.id(), copies, forced);
  }

  private boolean comesBefore(SeatEntry seat, SeatEntry other) {
    if (seat.away() != other.away()) return other.away();
    int servers = Integer.compare(onServer(seat), onServer(other));
    if (servers != 0) return servers < 0;
    boolean same = seat.server().equals(other.server());
    if (same && on(seat) != on(other)) return on(seat) < on(other);
    return room.load(seat.id(), copies) < room.load(other.id(), copies);
  }

  private int onServer(SeatEntry seat) {
    return onServers.getOrDefault(seat.server(), 0);
  }

  private int on(SeatEntry seat) {
    return granules.getOrDefault(seat.id(), 0);
  }

  private List<Allocation.Share> shares() {
    List<Allocation.Share> shares = new ArrayList<>(granules.size());
    granules.forEach((seat, count) -> shares.add(new Allocation.Share(seat, count)));
    return shares;
  }
}
