// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.repair;

import io.forebay.seat.part.SeatCounters;

/**
 * How fast a seat sends old records to members under repair: as fast as possible while no client
 * writes, otherwise so that writers keep most of their bandwidth. New records must be sent to these
 * members too, and cost writers no more than if the members were current; so they come on top, or
 * the members would never catch up.
 */
public final class RepairPace {
  /** The minimum of old bytes per tick, regardless of writes: 50 MiB a second. */
  private static final long LEAST_BYTES = 1 << 20;

  /** And this part of the written bytes, if that is more. */
  private static final int WRITTEN_SHARE = 4;

  private static final long ALONE_BYTES = 1L << 30;

  /** Writers that pause for this many ticks, half a second, count as gone. */
  private static final int PAUSE_TICKS = 25;

  private final SeatCounters counters;
  private long seenBytes;
  private final long[] writtenBytes = new long[PAUSE_TICKS];
  private long writtenSum;
  private int ticks;
  private long leftBytes = ALONE_BYTES;

  public RepairPace(SeatCounters counters) {
    this.counters = counters;
  }

  public void tick() {
    long written = counters.putBytes() - seenBytes;
    seenBytes += written;
    int slot = ticks++ % PAUSE_TICKS;
    writtenSum += written - writtenBytes[slot];
    writtenBytes[slot] = written;
    // Writes come in bursts far shorter than a pause: one tick would show too little.
    long usual = writtenSum / Math.min(ticks, PAUSE_TICKS);
    long more = usual + Math.max(LEAST_BYTES, usual / WRITTEN_SHARE);
    // A large record's excess is subtracted now; unused bytes are not saved up.
    leftBytes = Math.min(0, leftBytes) + (writtenSum == 0 ? ALONE_BYTES : more);
  }

  boolean allowsMore() {
    return leftBytes > 0;
  }

  void sent(int bytes) {
    leftBytes -= bytes;
  }
}
