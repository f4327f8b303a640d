// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.upkeep;

import io.forebay.store.disk.Disk;
import io.forebay.store.index.RecordIndex;
import io.forebay.store.index.RecordTable;
import io.forebay.store.log.RecordType;
import io.forebay.store.log.SegmentHeader;
import io.forebay.store.mark.Marks;
import io.forebay.store.record.Level;
import io.forebay.store.record.Waiter;
import io.forebay.store.segment.Flusher;
import io.forebay.store.segment.Segment;
import io.forebay.store.segment.Segments;
import io.forebay.store.segment.SlotReserve;
import io.forebay.store.tier.Slot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Frees segments in which nothing counts any more:
 *
 * <ol>
 *   <li>The marks that say so are forced: otherwise a power cut could take them and leave older
 *       entries that still refer to the records.
 *   <li>The segment's file is cleared and forced, so that its records can never come back.
 *   <li>Only then are the slots reused and the marks forgotten.
 * </ol>
 */
public final class Freeing {
  private static final ByteBuffer CLEARED = ByteBuffer.allocateDirect(SegmentHeader.BYTES);

  private final SlotReserve room;
  private final Segments segments;
  private final Flusher flusher;
  private final Marks marks;
  private final List<Segment> awaitingMarks = new ArrayList<>();

  /** Everything appended to journals and marks up to this stamp is forced. */
  private long forcedThrough;

  private boolean forcing;
  private int underWay;
  private long freed;

  public Freeing(LogParts parts) {
    this.room = parts.room();
    this.segments = parts.segments();
    this.flusher = parts.flusher();
    this.marks = parts.marks();
  }

  static boolean possible(Segment segment) {
    return segment.empty()
        && !segment.unreadable
        && segment.idle()
        && segment.copiesOf.stream().allMatch(Segment::empty);
  }

  void free(Segment segment) {
    segment.state = Segment.State.FREEING;
    underWay++;
    if (segment.file == null || segment.diedAt <= forcedThrough) {
      clear(segment);
    } else {
      awaitingMarks.add(segment);
    }
  }

  /** Goes on with segments that wait for their marks to be forced. */
  void maintain() {
    if (forcing || awaitingMarks.isEmpty()) return;
    List<Segment> unforced = new ArrayList<>();
    for (Segment segment : segments.journalled()) {
      if (segment.liveBytes > 0 && segment.lacks(Level.FORCED)) unforced.add(segment);
    }
    for (Segment segment : unforced) {
      // Without room for a file they cannot be forced now; the next round of upkeep tries again.
      if (segment.suspect || !room.giveFile(segment)) return;
    }
    forcing = true;
    new MarksRound(unforced.size()).start(unforced);
  }

  /** Whether segments are on their way to become free. */
  public boolean busy() {
    return underWay > 0;
  }

  public long freed() {
    return freed;
  }

  /** One force of everything that may hold marks. */
  private final class MarksRound {
    private final long through = segments.stamp;
    private int pending;
    private boolean failed;

    MarksRound(int pending) {
      this.pending = pending + 1;
    }

    void start(List<Segment> unforced) {
      for (Segment segment : unforced) flusher.want(segment, Level.FORCED, this::answered);
      answered(Waiter.Answer.Reached.NOW);
    }

    private void answered(Waiter.Answer answer) {
      if (answer instanceof Waiter.Answer.Failed) failed = true;
      if (--pending > 0) return;
      forcing = false;
      if (failed) return;
      forcedThrough = through;
      List<Segment> due = awaitingMarks.stream().filter(s -> s.diedAt <= through).toList();
      awaitingMarks.removeAll(due);
      due.forEach(Freeing.this::clear);
    }
  }

  /**
   * The image is cleared before the file: if it were found alone after a crash, its copies of
   * records would be taken for the older ones, which count, though they are less safe than the new
   * copies.
   */
  private void clear(Segment segment) {
    Slot image = segment.image;
    segment.image = null;
    if (image != null) {
      SegmentHeader.clear(image.bytes());
      room.memory.give(image);
    }
    Slot file = segment.file;
    if (file == null) {
      release(segment);
    } else if (segment.suspect) {
      retire(segment, file);
    } else {
      file.disk()
          .write(file.name(), 0, CLEARED.duplicate(), written -> cleared(segment, file, written));
    }
  }

  private void cleared(Segment segment, Slot file, Disk.Outcome outcome) {
    if (!outcome.succeeded()) {
      retire(segment, file);
      return;
    }
    file.disk()
        .force(
            file.name(),
            forced -> {
              if (!forced.succeeded()) {
                retire(segment, file);
                return;
              }
              segment.file = null;
              room.ssd().give(file);
              release(segment);
            });
  }

  /** A file that cannot be cleared is deleted; failing that too, the segment and its marks stay. */
  private void retire(Segment segment, Slot file) {
    room.ssd()
        .retire(
            file,
            deleted -> {
              if (!deleted.succeeded()) {
                underWay--;
                return;
              }
              segment.file = null;
              release(segment);
            });
  }

  private void release(Segment segment) {
    forgetDamaged(segment);
    segments.remove(segment);
    marks.freed(segment.number());
    underWay--;
    freed++;
  }

  /** Damaged records stay known until their segment goes, so that readers learn of the damage. */
  private void forgetDamaged(Segment segment) {
    RecordTable table = segment.table;
    for (int entry = 0; entry < table.size(); entry++) {
      if (table.state(entry) != RecordTable.State.DAMAGED) continue;
      long session = table.session(entry);
      long sequence = table.sequence(entry);
      long here = RecordIndex.location(segment.ordinal, entry);
      if (table.type(entry) == RecordType.DATA) {
        if (segments.index.find(session, sequence) == here) {
          segments.index.remove(session, sequence);
        }
      } else if (table.type(entry) == RecordType.JOURNAL) {
        segments.journals.remove(table.fileNumber(entry), sequence, here);
      }
    }
  }
}
