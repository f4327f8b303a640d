package io.forebay.drain.pace;

/**
 * How much a seat drains while clients write: as much as it can while nobody does, else so that
 * they keep most of what they had and the drain goes on all the same. It may have a part of what it
 * managed alone, or of what comes in, whichever is more. When the buffer runs full there is nothing
 * to yield for: writers would wait for the drain.
 *
 * <p>The owner calls {@link #tick} at equal times, some twenty milliseconds apart.
 */
public final class DrainYield {
  /**
   * While clients write, this part of what the drain managed alone, or of what they write: above
   * the quarter that a drain should have, and below what writers should have to give up.
   */
  private static final int SHARE_PERCENT = 28;

  /** This much per tick as long as nobody knows what it manages alone. */
  private static final long LEAST_BYTES = 1 << 20;

  /** From here on the drain does not yield. */
  public static final int FULL_PERCENT = 90;

  /** What it manages alone is measured over so many ticks, since writes are large and few. */
  private static final int MEASURED_TICKS = 50;

  private static final long ALONE_BYTES = 1L << 40;

  private long ingestBytes;
  private long leftBytes = ALONE_BYTES;
  private boolean yields;
  private int aloneTicks;
  private long aloneBytes;
  private long alonePerTick;

  /**
   * Some time has passed.
   *
   * @param ingestTotalBytes all that clients have written so far
   * @param fullPercent how full the buffer is with what is not drained
   */
  public void tick(long ingestTotalBytes, int fullPercent) {
    long written = ingestTotalBytes - ingestBytes;
    ingestBytes = ingestTotalBytes;
    if (yields) forgetMeasurement();
    else measure();
    yields = written > 0 && fullPercent < FULL_PERCENT;
    if (!yields) {
      leftBytes = ALONE_BYTES;
      return;
    }
    long known = alonePerTick > 0 ? alonePerTick * SHARE_PERCENT / 100 : LEAST_BYTES;
    // What a large write took too much is missing now; what was not used is not saved up.
    long owed = leftBytes < 0 ? leftBytes : 0;
    leftBytes = owed + Math.max(known, written * SHARE_PERCENT / 100);
  }

  private void measure() {
    if (++aloneTicks < MEASURED_TICKS) return;
    long perTick = aloneBytes / aloneTicks;
    // A drain that ended in between shows less than it managed, so less is believed slowly.
    if (perTick > 0) alonePerTick = Math.max(perTick, alonePerTick - alonePerTick / 8);
    forgetMeasurement();
  }

  private void forgetMeasurement() {
    aloneTicks = 0;
    aloneBytes = 0;
  }

  /** Whether more may be fetched or written now. */
  public boolean allowsMore() {
    return leftBytes > 0;
  }

  /** So much was drained. */
  public void drained(int bytes) {
    leftBytes -= bytes;
    if (!yields) aloneBytes += bytes;
  }

  /** Whether the drain holds back for those who write. */
  public boolean yields() {
    return yields;
  }
}
