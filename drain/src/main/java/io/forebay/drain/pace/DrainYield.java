// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.pace;

/**
 * How much a seat drains while clients write: as much as it can while nobody does, else so that
 * they keep most of what they had and the drain goes on all the same. It has that part of what it
 * managed alone that clients leave: much if they write little of what they could, and at the least
 * a share that is above the quarter a drain should have, and below what writers should have to give
 * up. When the buffer runs full there is nothing to yield for: writers would wait for the drain.
 *
 * <p>The owner calls {@link #tick} about every {@link #TICK_NANOS}; when he has much to do he may
 * be late.
 */
public final class DrainYield {
  public static final long TICK_NANOS = 20_000_000;

  /** Who stood still for longer than so many ticks has missed the rest. */
  private static final double LATE_TICKS_MAX = 5;

  /** The least that a drain has of what it managed alone, in percent. */
  private static final int SHARE_MIN = 27;

  /**
   * So much, in percent, is given to nobody. If both want all there is, whatever the drain has is
   * what clients leave; with this it becomes less from tick to tick, down to its least share.
   */
  private static final int SPARE = 10;

  /** As long as nobody knows what the drain manages alone: this part of what is written. */
  private static final int UNKNOWN_SHARE = 20;

  /** Or this much per tick. */
  private static final long UNKNOWN_BYTES_MIN = 1 << 20;

  /** From here on the drain does not yield. */
  public static final int FULL_PERCENT = 90;

  /** Clients that write less than this part of what they could, in percent, are as good as none. */
  private static final int WRITES_MIN = 1;

  /** Over how many ticks what clients write is smoothed: a gap between two pieces is no pause. */
  private static final int SMOOTHED_TICKS = 8;

  /** When nothing at all came for so many ticks nobody writes, whatever there was before. */
  private static final int SILENT_TICKS = 10;

  /** Over how many ticks it is forgotten how much they could write: some ten minutes. */
  private static final int REMEMBERED_TICKS = 1 << 15;

  /**
   * What it manages alone is measured over so many ticks in which it has something to do, since
   * writes are large and few.
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
   * Some time has passed.
   *
   * @param ingestTotalBytes all that clients have written so far
   * @param fullPercent how full the buffer is with what is not drained
   * @param elapsedNanos since the last time
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
    // What a large write took too much is missing now; what was not used is not saved up.
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

  /** Whether the drain holds back for those who write. */
  public boolean yields() {
    return yields;
  }
}
