// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

import io.forebay.store.log.RecordHeader;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.Waiter;
import io.forebay.store.segment.Reservation;
import io.forebay.store.segment.Reserve;
import org.jspecify.annotations.Nullable;

/**
 * Appends like a seat's loop: each payload is copied into its reservation, like a read from a
 * socket, and several commits may be unanswered at a time.
 */
final class AppendLoad {
  /** The maximum of unanswered bytes, as from many clients at once. */
  private static final int WINDOW_BYTES = 8 * Scale.MIB;

  private static final int WINDOW_RECORDS_MIN = 4;

  private final BenchStore target;
  private final Source source;
  private final int payloadBytes;
  private final Level level;
  private final int window;
  private int outstanding;
  private final Waiter waiter =
      answer -> {
        BenchStore.reached(answer);
        outstanding--;
      };

  AppendLoad(BenchStore target, Source source, int payloadBytes, Level level, int window) {
    this.target = target;
    this.source = source;
    this.payloadBytes = payloadBytes;
    this.level = level;
    this.window = window;
  }

  /** The maximum of unanswered commits where only throughput matters. */
  static int wideWindow(int payloadBytes) {
    return Math.max(WINDOW_RECORDS_MIN, WINDOW_BYTES / payloadBytes);
  }

  /** Appends this many records, and waits for the last answer. */
  void run(long records) throws InterruptedException {
    for (long i = 0; i < records; i++) append();
    target.await("answers", () -> outstanding == 0);
  }

  /**
   * Appends until the time is over, at most this many; waits for the last, and returns the number.
   */
  long runUntil(long endNanos, long recordsMax) throws InterruptedException {
    long records = 0;
    while (records < recordsMax && System.nanoTime() - endNanos < 0) {
      append();
      records++;
    }
    target.await("answers", () -> outstanding == 0);
    return records;
  }

  private void append() throws InterruptedException {
    if (outstanding >= window) target.await("answers", () -> outstanding < window);
    Reservation reservation = reserve(target.next(payloadBytes));
    source.copy(reservation.payload(), 0, payloadBytes);
    Commit commit = target.store().commit(reservation, null, waiter);
    if (commit == Commit.PENDING) outstanding++;
    else if (commit != Commit.DONE) throw new IllegalStateException("commit ended as " + commit);
    // A loop takes the disks' answers between requests, not only when it is idle.
    target.store().poll();
  }

  private Reservation reserve(RecordHeader record) throws InterruptedException {
    return target.awaitAnswer("room", () -> unlessFull(target.store().reserve(record, level)));
  }

  private static @Nullable Reservation unlessFull(Reserve reserve) {
    if (reserve instanceof Reserve.Reserved reserved) return reserved.reservation();
    if (reserve instanceof Reserve.Full full
        && (full.reason() == Reserve.Reason.SPILLING
            || full.reason() == Reserve.Reason.PREPARING)) {
      return null;
    }
    throw new IllegalStateException("reserve ended as " + reserve);
  }
}
