// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.segment;

import io.forebay.store.index.HeldBytes;
import io.forebay.store.index.RecordTable;
import io.forebay.store.log.RecordLayout;
import io.forebay.store.log.RecordType;
import io.forebay.store.log.SegmentHeader;
import io.forebay.store.record.Level;
import io.forebay.store.record.Waiter;
import io.forebay.store.tier.Slot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One segment: its image in memory while there is one, its file on the SSD once there is one, and
 * the state of its records. Both hold the same bytes at the same positions.
 */
public final class Segment {
  public enum State {
    /** Takes records. */
    OPEN,
    /** Takes no further record; reservations may still be filled. */
    SEALED,
    /** Nothing in it counts; its slots are being made free. */
    FREEING,
    /** Gone. */
    FREED
  }

  /** A waiter for a write or a force. */
  record Wait(Level level, Waiter waiter) {}

  public final int ordinal;
  public final SegmentHeader header;
  public final RecordTable table;
  public State state = State.OPEN;
  public @Nullable Slot image;
  public @Nullable Slot file;

  /** The position of the next record. */
  public int tail = SegmentHeader.BYTES;

  int openReservations;

  /** Readers that hold slices of the image, and work that needs the segment to stay. */
  public int pins;

  public long liveBytes;
  public long cleanBytes;

  /** The stamp at which a record of this segment last died; see {@link Segments#stamp}. */
  public long diedAt;

  /** A write or force of its file failed, so the file is never trusted or tried again. */
  public boolean suspect;

  /** Part of it could not be read when the log was opened: unknown records may stand there. */
  public boolean blemished;

  /** Its records could not be read to be moved: it is not tried again. */
  public boolean stuck;

  /**
   * The device did not give all of it when the log was opened, and may one day: it is not freed.
   */
  public boolean unreadable;

  /** Its records must be moved and forced, since their safety here is unknown. */
  public boolean evacuate;

  /** The last attempt to empty it failed for lack of room. */
  public boolean roomless;

  /** Segments whose records are also here; this segment stays until those are safe elsewhere. */
  public final List<Segment> copiesOf = new ArrayList<>();

  /** How often emptying it has failed, and when it may be tried again. */
  public int moveFailures;

  public long moveAgainNanos;

  /** It has been asked to move to the SSD. */
  public boolean spilling;

  /** The file holds every record, forced: the image may go. */
  public boolean fileComplete;

  /** Everything before this entry has been written to the file. */
  public int writtenEntries;

  /** Everything before this entry has been forced in the file. */
  int forcedEntries;

  /** Holds journal entries or marks, which are answered in the order of their appending. */
  boolean journalled;

  /** The seal is on its way to the file, after which the image may go. */
  public boolean sealing;

  /** The file has the seal, or was asked to take it. */
  boolean sealWritten;

  public boolean flushing;
  final List<Wait> waiting = new ArrayList<>();

  private final HeldBytes held;

  /** Where its bytes are: in memory, in a file, or both. */
  record Slots(@Nullable Slot image, @Nullable Slot file) {}

  Segment(int ordinal, SegmentHeader header, RecordTable table, HeldBytes held, Slots slots) {
    this.ordinal = ordinal;
    this.header = header;
    this.table = table;
    this.held = held;
    image = slots.image;
    file = slots.file;
  }

  public long number() {
    return header.number();
  }

  public ByteBuffer bytes() {
    if (image == null) throw new IllegalStateException("segment " + number() + " has no image");
    return image.bytes();
  }

  public boolean sealedAndFilled() {
    return state == State.SEALED && openReservations == 0;
  }

  /** Notes in the image how many records there are, so that one that goes missing is missed. */
  public void noteSeal() {
    int filled = 0;
    for (int entry = 0; entry < table.size(); entry++) {
      if (table.state(entry) != RecordTable.State.VOID) filled++;
    }
    boolean known = openReservations == 0;
    SegmentHeader.seal(
        bytes(),
        header.generation(),
        new SegmentHeader.Seal(table.size(), known ? filled : SegmentHeader.Seal.UNKNOWN));
  }

  public boolean empty() {
    return liveBytes + cleanBytes == 0;
  }

  /** Whether no pending work needs its bytes to stay in place. */
  public boolean idle() {
    return sealedAndFilled() && pins == 0 && !flushing && !sealing && waiting.isEmpty();
  }

  /** Whether its image is memory that dies with the process. */
  public boolean imageDies() {
    return image != null && !image.lasting();
  }

  public boolean imageDroppable() {
    return image != null && fileComplete && idle();
  }

  /** Its file is to be written again, all of it, from an image that holds the same bytes. */
  void beginRewrite(Slot from) {
    image = from;
    fileComplete = false;
    sealWritten = false;
    writtenEntries = 0;
    forcedEntries = 0;
    for (int entry = 0; entry < table.size(); entry++) {
      table.written(entry, RecordTable.WRITTEN_NOTHING);
    }
  }

  /** Whether something in it has not reached the level in the file. */
  public boolean lacks(Level level) {
    return switch (level) {
      case KEPT -> flushing || writtenEntries < table.size();
      case FORCED -> forcedEntries < table.size();
    };
  }

  /** Share of the segment that its kept records take. */
  public double utilization() {
    return (double) (liveBytes + cleanBytes) / (header.segmentBytes() - SegmentHeader.BYTES);
  }

  /** Moves a record to a state that keeps it or not, and counts its bytes accordingly. */
  public void change(int entry, RecordTable.State to) {
    long bytes = RecordLayout.recordBytes(table.payloadBytes(entry));
    count(table.state(entry), -bytes);
    count(to, bytes);
    if (isHeld(table.state(entry)) != isHeld(to)) holds(entry, isHeld(to));
    table.state(entry, to);
  }

  /** Counts a record that recovery found. */
  public void found(int entry) {
    liveBytes += table.recordBytes(entry);
    holds(entry, true);
  }

  /** A record that is arriving has its room already. */
  private static boolean isHeld(RecordTable.State state) {
    return state == RecordTable.State.LIVE || state == RecordTable.State.OPEN;
  }

  /** Counts a record in or out. */
  void holds(int entry, boolean now) {
    if (table.type(entry) != RecordType.DATA) return;
    long bytes = table.payloadBytes(entry);
    held.add(table.instance(entry), table.group(entry), now ? bytes : -bytes);
  }

  private void count(RecordTable.State state, long bytes) {
    switch (state) {
      case LIVE -> liveBytes += bytes;
      case CLEAN -> cleanBytes += bytes;
      // Damaged bytes are useless: their segment is not kept for them.
      case OPEN, VOID, MOVING, DEAD, DAMAGED -> {}
    }
  }
}
