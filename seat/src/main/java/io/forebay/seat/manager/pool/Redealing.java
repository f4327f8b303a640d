// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.pool;

import io.forebay.base.SeatId;
import io.forebay.ring.Allocation;
import io.forebay.ring.Instance;
import io.forebay.ring.SeatEntry;
import io.forebay.ring.pool.PoolRoom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What instances have of the pools after seats have changed, or room has become free:
 *
 * <ol>
 *   <li>Shares of seats that are gone, leave, or belong to another pool are given up.
 *   <li>Where seats have promised more than they can keep now, since they took the place of others
 *       or came back smaller, the youngest instances lose granules. So no map promises more than
 *       there is (P31).
 *   <li>Instances that have fewer granules than they were promised get others, the oldest first, as
 *       far as there is room.
 *   <li>New records go to the seats with shares. Instances without a promise use all seats of their
 *       pool.
 * </ol>
 */
public final class Redealing {
  private final PoolBook book;
  private final List<SeatEntry> ring;
  private final List<Instance> instances;

  private Redealing(PoolBook book, List<SeatEntry> ring, List<Instance> instances) {
    this.book = book;
    this.ring = ring;
    this.instances = new ArrayList<>(instances);
  }

  /** The instances with the granules and seats that they should have now. */
  public static List<Instance> of(PoolBook book, List<SeatEntry> ring, List<Instance> instances) {
    Redealing redealing = new Redealing(book, ring, instances);
    TreeSet<String> pools = new TreeSet<>();
    for (Instance instance : instances) {
      boolean promised = instance.allocation().isPromise();
      if (promised) pools.add(instance.allocation().pool());
    }
    for (String pool : pools) redealing.redeal(pool);
    redealing.instances.replaceAll(redealing::withSeats);
    return redealing.instances;
  }

  private void redeal(String pool) {
    // 1
    PoolRoom empty = PoolRoom.of(book.pool(pool), ring, List.of());
    TreeSet<SeatId> here = new TreeSet<>();
    for (SeatEntry seat : empty.seats()) here.add(seat.id());
    for (int i = 0; i < instances.size(); i++) {
      if (!isOf(instances.get(i), pool)) continue;
      List<Allocation.Share> kept = new ArrayList<>(instances.get(i).allocation().shares());
      if (kept.removeIf(share -> !here.contains(share.seat()))) set(i, kept);
    }
    // 2
    PoolRoom room = PoolRoom.of(book.pool(pool), ring, instances);
    for (SeatId seat : here) {
      for (int i = instances.size() - 1; i >= 0 && room.excess(seat) > 0; i--) {
        if (isOf(instances.get(i), pool)) relieve(i, seat, room);
      }
    }
    // 3
    for (int i = 0; i < instances.size(); i++) {
      Instance instance = instances.get(i);
      if (!isOf(instance, pool) || instance.granulesShort() == 0) continue;
      set(
          i,
          Dealing.deal(
              room,
              instance.copies(),
              instance.forced(),
              instance.allocation().shares(),
              instance.granulesWanted()));
    }
  }

  /** Takes granules from an instance that a seat cannot keep. */
  private void relieve(int i, SeatId seat, PoolRoom room) {
    Instance instance = instances.get(i);
    List<Allocation.Share> kept = new ArrayList<>();
    for (Allocation.Share share : instance.allocation().shares()) {
      boolean counts = room.keepers(share.seat(), instance.copies()).contains(seat);
      int less = counts ? Math.min(share.granules(), room.excess(seat)) : 0;
      if (less > 0) room.take(share.seat(), instance.copies(), instance.forced(), -less);
      int left = share.granules() - less;
      if (left > 0) kept.add(new Allocation.Share(share.seat(), left));
    }
    set(i, kept);
  }

  private static boolean isOf(Instance instance, String pool) {
    return instance.allocation().isPromise() && instance.allocation().pool().equals(pool);
  }

  private void set(int i, List<Allocation.Share> shares) {
    Instance instance = instances.get(i);
    instances.set(i, instance.withAllocation(instance.allocation().with(shares), instance.seats()));
  }

  private Instance withSeats(Instance instance) {
    List<SeatId> seats = seatsFor(instance.allocation(), instance.copies(), ring);
    boolean same = new HashSet<>(seats).equals(new HashSet<>(instance.seats()));
    return same || seats.isEmpty() ? instance : instance.withSeats(seats);
  }

  /**
   * Where new records of an instance go: to the seats of its shares. Without any, to all seats of
   * its pool, or of all pools that have enough seats for its copies.
   */
  public static List<SeatId> seatsFor(Allocation allocation, int copies, List<SeatEntry> ring) {
    if (!allocation.shares().isEmpty()) return allocation.seats();
    Map<String, Integer> sizes = new HashMap<>();
    for (SeatEntry seat : ring) {
      if (seat.takesPart()) sizes.merge(seat.pool(), 1, Integer::sum);
    }
    List<SeatId> seats = new ArrayList<>();
    for (SeatEntry seat : ring) {
      boolean chosen = allocation.pool().isEmpty() || allocation.pool().equals(seat.pool());
      boolean large = sizes.getOrDefault(seat.pool(), 0) >= copies;
      if (seat.takesPart() && chosen && large) seats.add(seat.id());
    }
    return seats;
  }
}
