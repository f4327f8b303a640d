// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.repair;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.base.Timers;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.SeatCounters;
import io.forebay.store.RecordWalk;
import io.forebay.store.Store;
import io.forebay.store.record.ReadResult;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Reads all records of this seat's log, slowly, and compares them with their checksums, so that
 * damage is found while other seats still have an intact copy. {@link CorruptRecordRepair} gets the
 * damaged records from the log.
 */
public final class Scrub {
  /** After a start there is other work. */
  private static final long FIRST_NANOS = 30_000_000_000L;

  /** From the beginning of one round to that of the next, at least. */
  private static final long ROUND_NANOS = 3_600_000_000_000L;

  private static final long SECOND_NANOS = 1_000_000_000L;

  /** The maximum time that is made up for after a pause. */
  private static final long LATE_NANOS_MAX = SECOND_NANOS;

  private record Known(RecordId record, int payloadBytes) {}

  private final Timers timers;
  private final Store store;
  private final SeatCounters counters;
  private final CorruptRecordRepair mending;
  private final long bytesPerSecond;

  // At most the records of one segment.
  private final ArrayDeque<Known> next = new ArrayDeque<>();
  private @Nullable RecordWalk walk;
  private boolean reading;
  private long roundNanos;

  /** When the next record may be read. */
  private long dueNanos;

  public Scrub(Basics basics, CorruptRecordRepair mending, long bytesPerSecond) {
    this.timers = basics.timers();
    this.store = basics.store();
    this.counters = basics.counters();
    this.mending = mending;
    this.bytesPerSecond = bytesPerSecond;
    this.roundNanos = timers.nanos() + FIRST_NANOS;
    this.dueNanos = timers.nanos();
  }

  public void poll() {
    long now = timers.nanos();
    if (bytesPerSecond == 0 || reading) return;
    if (walk == null) {
      if (now - roundNanos < 0) return;
      roundNanos = now + ROUND_NANOS;
      dueNanos = now;
      walk = store.walk();
    }
    dueNanos = Math.max(dueNanos, now - LATE_NANOS_MAX);
    while (!reading && dueNanos - now <= 0) {
      Known record = next.poll();
      if (record != null) {
        read(record);
      } else if (!walk.next(this::found, mending::damaged)) {
        walk = null;
        return;
      }
    }
  }

  private void found(RecordId id, FileId file, int group, int payloadBytes) {
    next.add(new Known(id, payloadBytes));
  }

  private void read(Known record) {
    dueNanos += Math.max(1, record.payloadBytes * SECOND_NANOS / bytesPerSecond);
    reading = true;
    store.verify(
        record.record,
        result -> {
          reading = false;
          if (!(result instanceof ReadResult.Bytes bytes)) return;
          bytes.slice().close();
          counters.scrubbed(record.payloadBytes);
        });
  }
}
