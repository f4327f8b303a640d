// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.policy;

import io.forebay.base.ByteSize;
import io.forebay.drain.pace.ShuffleBudget;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * When files of an instance are drained automatically, and how fast. Requested drains happen under
 * every policy. Files of the same priority are drained by age, the oldest checkpoint first.
 *
 * @param onClose when a file is closed
 * @param everyMillis when a file has been waiting for this long; 0 for never
 * @param fillPercent when the buffer is filled to that level; 0 for never
 * @param atEnd when the instance or its job ends
 * @param rateBytesPerSecond no faster than that, at each seat; 0 for no limit
 * @param priority from 0 to {@link ShuffleBudget#PRIORITY_MAX}; higher goes first
 * @param verify whether the written bytes are read back before the file gets its name
 * @param packBytes shorter files are stored in packs; 0 for none
 */
public record DrainPolicy(
    boolean onClose,
    long everyMillis,
    int fillPercent,
    boolean atEnd,
    long rateBytesPerSecond,
    int priority,
    boolean verify,
    long packBytes) {
  public static final int PRIORITY_DEFAULT = 5;
  public static final long EVERY_MILLIS_MIN = 1000;
  public static final long EVERY_MILLIS_MAX = TimeUnit.DAYS.toMillis(30);

  /** No larger files are stored together with others: it would spare too little. */
  public static final long PACK_BYTES_MAX = 4L << 20;

  /** Drains nothing automatically. */
  public static final DrainPolicy ON_REQUEST =
      new DrainPolicy(false, 0, 0, false, 0, PRIORITY_DEFAULT, false, 0);

  /** The default of instances. */
  public static final DrainPolicy DEFAULT =
      new DrainPolicy(true, 0, 0, true, 0, PRIORITY_DEFAULT, false, 0);

  /**
   * A file with bytes that are not drained.
   *
   * @param open whether a client has it open for writing
   * @param requested whether a client requested a drain
   * @param ending whether its instance or job ends
   * @param filled whether the buffer is filled above the policy's level; see {@link FillGate}
   * @param waitedNanos since it was last drained, or first published
   */
  public record Waiting(
      boolean open, boolean requested, boolean ending, boolean filled, long waitedNanos) {}

  public DrainPolicy {
    if (everyMillis != 0 && (everyMillis < EVERY_MILLIS_MIN || everyMillis > EVERY_MILLIS_MAX)) {
      throw new IllegalArgumentException(
          "drain every %d ms: at least every 30 days, at most every second".formatted(everyMillis));
    }
    if (fillPercent < 0 || fillPercent > 100) {
      throw new IllegalArgumentException("fill level %d: 1 to 100 %%".formatted(fillPercent));
    }
    if (rateBytesPerSecond < 0) {
      throw new IllegalArgumentException("rate %d bytes/s".formatted(rateBytesPerSecond));
    }
    if (priority < 0 || priority > ShuffleBudget.PRIORITY_MAX) {
      throw new IllegalArgumentException(
          "priority %d: 0 to %d".formatted(priority, ShuffleBudget.PRIORITY_MAX));
    }
    if (packBytes < 0 || packBytes > PACK_BYTES_MAX) {
      throw new IllegalArgumentException(
          "files below %s together: at most %s"
              .formatted(ByteSize.format(packBytes), ByteSize.format(PACK_BYTES_MAX)));
    }
  }

  /**
   * Reads a policy such as {@code
   * close,every=30s,fill=60%,end,rate=200MB/s,priority=5,verify,pack=1MiB}, or {@code request} for
   * requested drains only.
   *
   * @throws IllegalArgumentException if it is not valid; the message names the text and the remedy
   */
  public static DrainPolicy parse(String text) {
    return PolicyText.parse(text);
  }

  /** The policy of an instance by its text; the usual one if that is empty or of another time. */
  public static DrainPolicy of(String text) {
    try {
      return text.isEmpty() ? DEFAULT : parse(text);
    } catch (IllegalArgumentException e) {
      // The manager refuses policies that it cannot read; one of another version may be unreadable
      // here.
      return DEFAULT;
    }
  }

  /** Whether files are drained only on request, or when the instance or its job ends. */
  public boolean isByRequestOnly() {
    return !onClose && everyMillis == 0 && fillPercent == 0;
  }

  /** Why a file should be drained now, if it should. */
  public Optional<Cause> due(Waiting file) {
    if (file.requested) return Optional.of(Cause.REQUEST);
    if (atEnd && file.ending) return Optional.of(Cause.END);
    if (fillPercent > 0 && file.filled) return Optional.of(Cause.FILL);
    if (onClose && !file.open) return Optional.of(Cause.CLOSE);
    boolean longEnough = file.waitedNanos >= TimeUnit.MILLISECONDS.toNanos(everyMillis);
    return everyMillis > 0 && longEnough ? Optional.of(Cause.INTERVAL) : Optional.empty();
  }

  /** The policy as {@link #parse} reads it. */
  @Override
  public String toString() {
    return PolicyText.print(this);
  }
}
