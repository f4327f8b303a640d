// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.pace;

/**
 * How fast a seat drains while clients write. Without client writes it drains as fast as it can.
 * Otherwise clients keep most of their bandwidth and the drain continues: it gets the part of its
 * solo rate that clients leave. That is much if they write little of what they could, and at least
 * a minimum share, which is above the quarter that a drain should have and below what writers
 * should have to give up. When the buffer runs full the drain does not yield: writers would wait
 * for it.
 *
 * <p>The owner calls {@link #tick} about every {@link #TICK_NANOS}; under load it may be late.
 */
public final class DrainYield {
  public static final long TICK_NANOS = 20_000_000;

  /** An owner that is late by more than this many ticks loses the rest. */
  private static final double LATE_TICKS_MAX = 5;

  /** The minimum share of a drain, in percent of its solo rate. */
  private static final int SHARE_MIN = 27;

  /**
   * The percentage that neither side gets. Without it, if both want all bandwidth, the drain's
   * current share would be exactly what clients leave; with it, the share shrinks from tick to tick
   * down to the minimum.
   */
  private static final int SPARE = 10;

  /** While the drain's solo rate is unknown: its share in percent of the client writes. */
  private static final int UNKNOWN_SHARE = 20;

  /** Or this much per tick. */
  private static final long UNKNOWN_BYTES_MIN = 1 << 20;

  /** From here on the drain does not yield. */
  public static final int FULL_PERCENT = 90;

  /** Client writes below this percentage of their peak do not count. */
  private static final int WRITES_MIN = 1;

  /** Over how many ticks what clients write is smoothed: a gap between two pieces is no pause. */
  private static final int SMOOTHED_TICKS = 8;

  /**
   * After this many ticks without any client write, clients count as silent, whatever the average.
   */
  private static final int SILENT_TICKS = 10;

  /** Over how many ticks it is forgotten how much they could write: some ten minutes. */
  private static final int REMEMBERED_TICKS = 1 << 15;

  /**
   * The solo rate is measured over this many ticks with work to do, since writes are large and few.
   */
  private static final int MEASURED_TICKS = 20;

  private static final long ALONE_BYTES = 1L << 40;

  private long ingestBytes;
  private double ingestPerTick;
  private int silentTicks;
  private double ingestMost;
  private boolean yields;
  private long leftBytes = ALONE_BYTES;
  private long underWayBytes;
  private boolean worked;
  private double aloneTicks;
  private long aloneBytes;
  private long alonePerTick;

  /**
   * Updates the shares.
   *
   * @param ingestTotalBytes the total bytes of client writes
   * @param fullPercent how full the buffer is with undrained data
   * @param elapsedNanos the time since the last call
   */
  public void tick(long ingestTotalBytes, int fullPercent, long elapsedNanos) {
    double ticks = Math.clamp((double) elapsedNanos / TICK_NANOS, 0, LATE_TICKS_MAX);
    if (!yields) measure(ticks);
    worked = false;
    long written = ingestTotalBytes - ingestBytes;
    ingestBytes = ingestTotalBytes;
    double perTick = written / Math.max(1, ticks);
    ingestPerTick += (perTick - ingestPerTick) / SMOOTHED_TICKS;
    silentTicks = written == 0 ? silentTicks + 1 : 0;
    if (silentTicks >= SILENT_TICKS) ingestPerTick = 0;
    ingestMost = Math.max(ingestPerTick, ingestMost - ingestMost / REMEMBERED_TICKS);
    yields = fullPercent < FULL_PERCENT && ingestPerTick * 100 > ingestMost * WRITES_MIN;
    // A large write's excess is subtracted now; unused bytes are not saved up.
    if (yields) leftBytes = Math.min(0, leftBytes) + (long) (shareBytes() * ticks);
    else leftBytes = ALONE_BYTES;
  }

  private long shareBytes() {
    if (alonePerTick == 0) {
      return Math.max(UNKNOWN_BYTES_MIN, (long) (ingestPerTick * UNKNOWN_SHARE / 100));
    }
    int used = (int) (ingestPerTick * 100 / ingestMost);
    return alonePerTick * Math.max(SHARE_MIN, 100 - SPARE - used) / 100;
  }

  private void measure(double ticks) {
    if (worked || underWayBytes > 0) aloneTicks += ticks;
    if (aloneTicks < MEASURED_TICKS) return;
    long perTick = (long) (aloneBytes / aloneTicks);
    // The first and the last writes show less than it manages, so less is believed slowly.
    if (perTick > 0) alonePerTick = Math.max(perTick, alonePerTick - alonePerTick / 8);
    aloneTicks = 0;
    aloneBytes = 0;
  }

  /** Whether another write may be begun now. */
  public boolean allowsMore() {
    return leftBytes > 0;
  }

  /** A write of that length begins. */
  public void begins(int bytes) {
    leftBytes -= bytes;
    underWayBytes += bytes;
    worked = true;
  }

  /** A write of that length is over. */
  public void ends(int bytes) {
    underWayBytes -= bytes;
    if (!yields) aloneBytes += bytes;
  }

  /** Whether the drain yields to client writes. */
  public boolean yields() {
    return yields;
  }
}
