// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.segment;

import io.forebay.base.MonotonicClock;
import io.forebay.base.latency.Latencies;
import io.forebay.base.latency.LatencyHistogram;
import io.forebay.base.rule.Rule;
import io.forebay.store.disk.Disk;
import io.forebay.store.index.RecordTable;
import io.forebay.store.log.RecordLayout;
import io.forebay.store.log.SegmentHeader;
import io.forebay.store.record.Level;
import io.forebay.store.record.Waiter;
import io.forebay.store.tier.Slot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the filled parts of a segment's image to its file and forces it: one round of writes and
 * one force for all waiters (group commit). A round answers only waiters whose record was filled
 * before it began; later ones wait for the next. After a failure the file is never used again.
 */
public final class Flusher {
  /** Told when a segment's file failed. */
  public interface SuspectListener {
    void suspect(Segment segment, String detail);
  }

  private static final int WRITE_BYTES_MAX = 8 * 1024 * 1024;
  private static final int WRITES_PENDING_MAX = 16;

  /** Void records up to this size are written whole: one longer write is cheaper than two. */
  private static final int VOID_BYTES_WRITTEN_MAX = 64 * 1024;

  private final SuspectListener listener;
  private final SsdWrites writes = new SsdWrites();
  private long rounds;
  private final MonotonicClock clock;
  private final LatencyHistogram forceTimes = new LatencyHistogram();
  private long forces;

  public Flusher(SuspectListener listener, MonotonicClock clock) {
    this.listener = listener;
    this.clock = clock;
  }

  /** Answers when everything filled in the segment so far has reached the level on its file. */
  public void want(Segment segment, Level level, Waiter waiter) {
    if (segment.suspect) {
      waiter.answered(new Waiter.Answer.Failed("segment " + segment.number() + " is suspect"));
      return;
    }
    if (segment.file == null) {
      throw new IllegalStateException("segment " + segment.number() + " has no file");
    }
    segment.waiting.add(new Segment.Wait(level, waiter));
    maybeStart(segment);
  }

  /** Forces so far: how well group commit groups. */
  public long forces() {
    return forces;
  }

  /** How long they took. */
  public Latencies forceTimes() {
    return forceTimes.now();
  }

  /** What was written so far. */
  public SsdWrites writes() {
    return writes;
  }

  long rounds() {
    return rounds;
  }

  private void maybeStart(Segment segment) {
    if (segment.flushing || segment.waiting.isEmpty()) return;
    new Round(segment).start();
  }

  /** One round of writes and a force for the waiters at its beginning. */
  private final class Round {
    private final Segment segment;
    private final Slot file;
    private final List<Waiter> kept = new ArrayList<>();
    private final List<Waiter> forced = new ArrayList<>();
    private final boolean complete;

    /** Ranges of the image still to be written, each as its start and end. */
    private final ArrayDeque<int[]> ranges = new ArrayDeque<>();

    private int coveredEntries;
    private int writesPending;
    private long forceStartNanos;
    private Disk.Outcome worst = Disk.Outcome.Success.DONE;

    Round(Segment segment) {
      this.segment = segment;
      Slot target = segment.file;
      if (target == null) throw new IllegalStateException("no file to flush to");
      this.file = target;
      this.complete = segment.sealedAndFilled();
      for (Segment.Wait wait : segment.waiting) {
        (wait.level() == Level.KEPT ? kept : forced).add(wait.waiter());
      }
      segment.waiting.clear();
      segment.flushing = true;
    }

    void start() {
      rounds++;
      if (segment.image != null) collectFilled();
      coveredEntries = segment.writtenEntries;
      // Held open by one, so that answers cannot end the round while writes are being sent.
      writesPending = 1;
      written(Disk.Outcome.Success.DONE);
    }

    /**
     * Collects what the file lacks: whole records once they are filled, and the headers of open
     * reservations, so that recovery can hop over them. Marked as written at once: if a write fails
     * the file is not used again.
     */
    private void collectFilled() {
      RecordTable table = segment.table;
      int from = segment.writtenEntries == 0 ? 0 : -1;
      int to = segment.writtenEntries == 0 ? SegmentHeader.BYTES : -1;
      boolean prefix = true;
      for (int entry = segment.writtenEntries; entry < table.size(); entry++) {
        boolean filled = table.state(entry) != RecordTable.State.OPEN;
        int wanted = filled ? RecordTable.WRITTEN_ALL : RecordTable.WRITTEN_HEADER;
        if (table.written(entry) < wanted) {
          int start = table.position(entry);
          if (start != to) {
            if (from >= 0) collect(from, to);
            from = start;
          }
          to = start + bytesToWrite(table, entry);
          writes.wrote(table.instance(entry), to - start);
          table.written(entry, wanted);
        }
        prefix &= filled;
        if (prefix) segment.writtenEntries = entry + 1;
      }
      if (from >= 0) collect(from, to);
    }

    private static int bytesToWrite(RecordTable table, int entry) {
      return switch (table.state(entry)) {
        case OPEN -> RecordLayout.RESERVED_BYTES;
        case VOID ->
            table.recordBytes(entry) <= VOID_BYTES_WRITTEN_MAX
                ? table.recordBytes(entry)
                : RecordLayout.RESERVED_BYTES;
        case LIVE, CLEAN, MOVING, DEAD, DAMAGED -> table.recordBytes(entry);
      };
    }

    private void collect(int from, int to) {
      for (int at = from; at < to; at += WRITE_BYTES_MAX) {
        ranges.add(new int[] {at, Math.min(to, at + WRITE_BYTES_MAX)});
      }
    }

    private void written(Disk.Outcome outcome) {
      if (!outcome.succeeded()) worst = outcome;
      writesPending--;
      while (worst.succeeded() && !ranges.isEmpty() && writesPending < WRITES_PENDING_MAX) {
        int[] range = ranges.remove();
        writesPending++;
        file.disk()
            .write(
                file.name(),
                range[0],
                segment.bytes().slice(range[0], range[1] - range[0]),
                this::written);
      }
      if (writesPending > 0) return;
      if (worst instanceof Disk.Outcome.Failure failure) {
        fail("write to " + file.name() + " failed: " + failure.detail());
        return;
      }
      answer(kept, Waiter.Answer.Reached.NOW);
      if (forced.isEmpty()) {
        end();
      } else {
        forces++;
        forceStartNanos = clock.nanos();
        file.disk().force(file.name(), this::forceEnded);
      }
    }

    private void forceEnded(Disk.Outcome outcome) {
      if (outcome instanceof Disk.Outcome.Failure failure) {
        fail("force of " + file.name() + " failed: " + failure.detail());
        return;
      }
      forceTimes.add(clock.nanos() - forceStartNanos);
      segment.forcedEntries = coveredEntries;
      if (complete) complete();
      answerForced();
      end();
    }

    /** A force answers for records that were filled when it began, and for none after (P19). */
    @Rule("P19")
    private void answerForced() {
      answer(forced, Waiter.Answer.Reached.NOW);
    }

    /**
     * The file has every record, forced. Only now it may say how many there are: written before, a
     * seal could outlive records that a power cut takes. It is lost without harm.
     */
    private void complete() {
      segment.fileComplete = true;
      if (segment.sealWritten || segment.image == null) return;
      segment.sealWritten = true;
      segment.sealing = true;
      file.disk()
          .write(
              file.name(),
              0,
              segment.bytes().slice(0, SegmentHeader.BYTES),
              outcome -> segment.sealing = false);
    }

    private void end() {
      segment.flushing = false;
      maybeStart(segment);
    }

    private void fail(String detail) {
      segment.suspect = true;
      segment.flushing = false;
      takeLater();
      listener.suspect(segment, detail);
      Waiter.Answer failed = new Waiter.Answer.Failed(detail);
      answer(kept, failed);
      answer(forced, failed);
    }

    /** Waiters that came since this round began get the answer of this round. */
    private void takeLater() {
      for (Segment.Wait wait : segment.waiting) forced.add(wait.waiter());
      segment.waiting.clear();
    }

    /** An answered waiter may make a new request, so the list is emptied first. */
    private static void answer(List<Waiter> waiters, Waiter.Answer answer) {
      List<Waiter> told = List.copyOf(waiters);
      waiters.clear();
      for (Waiter waiter : told) waiter.answered(answer);
    }
  }
}
