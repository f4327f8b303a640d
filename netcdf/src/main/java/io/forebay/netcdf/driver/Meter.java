// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver;

import io.forebay.base.MonotonicClock;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts the operations of a rank on one file. Any thread. */
public final class Meter {
  /** The counters. */
  public enum Quantity {
    PUT_NANOS,
    LOG_CREATE_NANOS,
    LOG_WRITE_NANOS,
    LOG_WRITES,
    LOG_BYTES,
    FLUSH_NANOS,
    FLUSHES,
    FLUSH_ROUNDS,
    REORDER_NANOS,
    FILE_WRITE_NANOS,
    FILE_WRITES,
    FILE_WRITE_BYTES,
    FILE_READ_NANOS,
    FILE_READS,
    FILE_READ_BYTES,
    BACKGROUND_NANOS
  }

  private final MonotonicClock clock;
  private final Map<Quantity, LongAdder> totals = new EnumMap<>(Quantity.class);

  public Meter(MonotonicClock clock) {
    this.clock = clock;
    for (Quantity quantity : Quantity.values()) totals.put(quantity, new LongAdder());
  }

  /** The time, to be given to {@link #addSince}. */
  public long nanos() {
    return clock.nanos();
  }

  /** Adds the time that has passed. */
  public void addSince(Quantity quantity, long startNanos) {
    add(quantity, clock.nanos() - startNanos);
  }

  public void add(Quantity quantity, long amount) {
    of(quantity).add(amount);
  }

  public long total(Quantity quantity) {
    return of(quantity).sum();
  }

  private LongAdder of(Quantity quantity) {
    LongAdder total = totals.get(quantity);
    if (total == null) throw new IllegalStateException("nothing counts " + quantity);
    return total;
  }
}
