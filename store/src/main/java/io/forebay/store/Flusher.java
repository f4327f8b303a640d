package io.forebay.store;

import io.forebay.store.disk.Disk;
import io.forebay.store.index.RecordTable;
import io.forebay.store.log.RecordLayout;
import io.forebay.store.log.SegmentHeader;
import io.forebay.store.tier.Slot;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings what is filled in a segment's image to its file and forces it: one round of writes and one
 * force for all who wait (group commit). A round answers only those whose record was filled before
 * it began; whoever comes later waits for the next. After a failure the file is never tried again.
 */
final class Flusher {
  /** Told when a segment's file failed. */
  interface SuspectListener {
    void suspect(Segment segment, String detail);
  }

  private static final int WRITE_BYTES_MAX = 8 * 1024 * 1024;

  private final SuspectListener listener;
  private long rounds;
  private long forces;

  Flusher(SuspectListener listener) {
    this.listener = listener;
  }

  /** Answers when everything filled in the segment by now has reached the level on its file. */
  void want(Segment segment, Level level, Waiter waiter) {
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
  long forces() {
    return forces;
  }

  long rounds() {
    return rounds;
  }

  private void maybeStart(Segment segment) {
    if (segment.flushing || segment.waiting.isEmpty()) return;
    new Round(segment).start();
  }

  /** One round of writes and a force for those who waited when it began. */
  private final class Round {
    private final Segment segment;
    private final Slot file;
    private final List<Waiter> kept = new ArrayList<>();
    private final List<Waiter> forced = new ArrayList<>();
    private final boolean complete;
    private int coveredEntries;
    private int writesPending;
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
      // Held open by one, so that answers cannot end the round while writes are being sent.
      writesPending = 1;
      if (segment.image != null) writeFilled();
      coveredEntries = segment.writtenEntries;
      written(Disk.Outcome.Success.DONE);
    }

    /**
     * Writes what the file lacks: whole records once they are filled, and the headers of open
     * reservations, so that recovery can hop over them. Marked as written at once: if a write fails
     * the file is not used again.
     */
    private void writeFilled() {
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
            if (from >= 0) write(from, to);
            from = start;
          }
          boolean whole = filled && table.state(entry) != RecordTable.State.VOID;
          to = start + (whole ? table.recordBytes(entry) : RecordLayout.RESERVED_BYTES);
          table.written(entry, wanted);
        }
        prefix &= filled;
        if (prefix) segment.writtenEntries = entry + 1;
      }
      if (from >= 0) write(from, to);
    }

    private void write(int from, int to) {
      for (int at = from; at < to; at += WRITE_BYTES_MAX) {
        int bytes = Math.min(WRITE_BYTES_MAX, to - at);
        writesPending++;
        file.disk().write(file.name(), at, segment.bytes().slice(at, bytes), this::written);
      }
    }

    private void written(Disk.Outcome outcome) {
      if (!outcome.succeeded()) worst = outcome;
      if (--writesPending > 0) return;
      if (worst instanceof Disk.Outcome.Failure failure) {
        fail("write to " + file.name() + " failed: " + failure.detail());
        return;
      }
      answer(kept, Waiter.Answer.Reached.NOW);
      if (forced.isEmpty()) {
        end();
      } else {
        forces++;
        file.disk().force(file.name(), this::forceEnded);
      }
    }

    private void forceEnded(Disk.Outcome outcome) {
      if (outcome instanceof Disk.Outcome.Failure failure) {
        fail("force of " + file.name() + " failed: " + failure.detail());
        return;
      }
      segment.forcedEntries = coveredEntries;
      if (complete) segment.fileComplete = true;
      answer(forced, Waiter.Answer.Reached.NOW);
      end();
    }

    private void end() {
      segment.flushing = false;
      maybeStart(segment);
    }

    private void fail(String detail) {
      segment.suspect = true;
      segment.flushing = false;
      for (Segment.Wait wait : segment.waiting) forced.add(wait.waiter());
      segment.waiting.clear();
      listener.suspect(segment, detail);
      Waiter.Answer failed = new Waiter.Answer.Failed(detail);
      answer(kept, failed);
      answer(forced, failed);
    }

    /** An answer may make its waiter ask again, so the list is emptied first. */
    private static void answer(List<Waiter> waiters, Waiter.Answer answer) {
      List<Waiter> told = List.copyOf(waiters);
      waiters.clear();
      for (Waiter waiter : told) waiter.answered(answer);
    }
  }
}
