// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.ring.Allocation;
import io.forebay.ring.Instance;
import io.forebay.ring.Pool;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.ring.pool.PoolRoom;
import io.forebay.simulation.world.World;

/**
 * No map promises more than the seats of a pool can keep, copies counted; granules are on seats
 * that stay, and new records of an instance go to these seats (P31).
 */
public final class PromiseAudit extends Audit {
  private long epoch;

  public PromiseAudit(World world) {
    super(world);
  }

  @Override
  public void look() {
    RingMap map = world().map();
    if (map == null || map.epoch() == epoch) return;
    epoch = map.epoch();
    for (Pool pool : map.pools()) check(map, pool);
    for (Instance instance : map.instances()) {
      check(map, instance);
    }
  }

  private void check(RingMap map, Pool pool) {
    PoolRoom room = PoolRoom.of(pool, map.seats(), map.instances());
    for (SeatEntry seat : room.seats()) {
      int excess = room.excess(seat.id());
      if (excess == 0) continue;
      broken(
          "P31", seat.id() + " has promised " + excess + " granules of " + pool + " that it lacks");
    }
  }

  private void check(RingMap map, Instance instance) {
    Allocation allocation = instance.allocation();
    for (Allocation.Share share : allocation.shares()) {
      SeatEntry seat = map.seat(share.seat());
      boolean stays =
          seat != null
              && seat.stay() == SeatEntry.Stay.HERE
              && seat.pool().equals(allocation.pool())
              && instance.seats().contains(share.seat());
      if (!stays) broken("P31", instance.name() + " has granules on " + share.seat());
    }
  }
}
