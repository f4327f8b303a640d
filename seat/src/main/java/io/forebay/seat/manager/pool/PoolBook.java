// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.pool;

import io.forebay.ring.Pool;
import io.forebay.ring.SeatEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The settings of all pools. A pool exists as soon as a seat of it does, and has the default
 * settings until others are made, or the first granule of it is promised.
 */
public final class PoolBook {
  /** Works for small servers, and is small beside what a job asks for. */
  public static final long GRANULE_BYTES_DEFAULT = 16L * 1024 * 1024;

  private final TreeMap<String, Pool> set = new TreeMap<>();
  private long granuleBytes = GRANULE_BYTES_DEFAULT;

  /** Restores what a snapshot has. */
  public void restore(long defaultGranuleBytes, List<Pool> pools) {
    granuleBytes = defaultGranuleBytes;
    set.clear();
    for (Pool pool : pools) set.put(pool.name(), pool);
  }

  /** The unit of pools without settings. */
  public long granuleBytes() {
    return granuleBytes;
  }

  /** Another unit for pools without settings; returns whether it is another. */
  public boolean begin(long defaultGranuleBytes) {
    boolean other = granuleBytes != defaultGranuleBytes;
    granuleBytes = defaultGranuleBytes;
    return other;
  }

  /** The pools with settings of their own. */
  public List<Pool> set() {
    return List.copyOf(set.values());
  }

  /** Fixes the settings of a pool. */
  public void set(Pool pool) {
    set.put(pool.name(), pool);
  }

  /** The settings of a pool, whether it has seats or not. */
  public Pool pool(String name) {
    Pool known = set.get(name);
    return known != null ? known : new Pool(name, granuleBytes, 0, "");
  }

  /** All pools: those of seats that have not left, and those with settings. */
  public List<Pool> all(List<SeatEntry> seats) {
    TreeSet<String> names = new TreeSet<>(set.keySet());
    for (SeatEntry seat : seats) {
      if (seat.stay() != SeatEntry.Stay.LEFT) names.add(seat.pool());
    }
    List<Pool> pools = new ArrayList<>(names.size());
    for (String name : names) pools.add(pool(name));
    return pools;
  }
}
