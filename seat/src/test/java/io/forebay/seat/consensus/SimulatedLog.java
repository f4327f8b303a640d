// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus;

import io.forebay.base.MonotonicClock;
import io.forebay.base.Timers;
import io.forebay.store.Store;
import io.forebay.store.StoreEvents;
import io.forebay.store.StoreOpening;
import io.forebay.store.disk.Faults;
import io.forebay.store.disk.FaultyDisk;
import io.forebay.store.log.LogId;
import io.forebay.store.tier.SlotPool;
import io.forebay.store.tier.StoreConfig;
import io.forebay.testing.TestSeed;
import java.util.List;
import java.util.SplittableRandom;

/** A manager's log on a simulated SSD that outlives processes, and each process's view of it. */
public final class SimulatedLog {
  private static final int SEGMENT_BYTES = 64 * 1024;
  private static final int SEGMENTS = 64;

  /** One process's view. */
  public record Life(Store store, LogConsensus consensus) {}

  public final FaultyDisk ssd;

  /** After how many superfluous entries the log is written anew. */
  public int surplusEntriesMax = LogConsensus.SURPLUS_ENTRIES_MAX;

  private final SplittableRandom random;

  public SimulatedLog(SplittableRandom random) {
    this.random = random;
    this.ssd = new FaultyDisk(random.split(), false, Long.MAX_VALUE, Faults.NONE);
  }

  /** A process starts. */
  public Life open(MonotonicClock clock, Timers timers) throws Exception {
    Store store = store(clock);
    return new Life(store, LogConsensus.open(store, timers, surplusEntriesMax));
  }

  /** The log without its consensus. */
  public Store store(MonotonicClock clock) throws Exception {
    FaultyDisk buffers = new FaultyDisk(random.split(), true, Long.MAX_VALUE, Faults.NONE);
    SlotPool.Place place = new SlotPool.Place(buffers, false, "write buffers");
    return StoreOpening.open(
            StoreConfig.ssd(SEGMENT_BYTES, (long) SEGMENTS * SEGMENT_BYTES),
            new LogId(1, 2),
            new StoreOpening.Volumes(List.of(place), ssd),
            clock,
            random.split(),
            StoreEvents.NONE)
        .store();
  }

  /** The seed of a random test: printed, and taken from {@code -Dforebay.seed} if given. */
  public static long seed(String test) {
    long seed = TestSeed.first(test);
    System.out.println(test + ": -Dforebay.seed=" + seed);
    return seed;
  }
}
