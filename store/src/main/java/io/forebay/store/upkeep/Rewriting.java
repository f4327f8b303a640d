// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.upkeep;

import io.forebay.base.BlockChecksums;
import io.forebay.store.disk.Disk;
import io.forebay.store.index.RecordTable;
import io.forebay.store.index.RecordTable.State;
import io.forebay.store.log.RecordCodec;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.SegmentHeader;
import io.forebay.store.record.Level;
import io.forebay.store.record.Waiter;
import io.forebay.store.segment.Flusher;
import io.forebay.store.segment.Segment;
import io.forebay.store.segment.Segments;
import io.forebay.store.segment.SlotReserve;
import io.forebay.store.tier.Slot;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Makes records safe where they stand, when they must be moved and there is no room for that. A
 * move that a crash interrupted leaves two copies of a record, of which one counts and the other
 * stays until the first is known to be safe. Many such crashes fill the store with copies, so that
 * nothing can be moved any more. Then the segment that counts is written again in place:
 *
 * <ol>
 *   <li>Without an image it gets one, read from its file, and each record that counts is verified.
 *   <li>The file is written from the image, all of it, to the same positions, and forced. A force
 *       alone would not do: after a force that failed in an earlier process, the kernel may report
 *       success without writing anything.
 *   <li>Its records are safe here, so they need not be moved, and segments that hold only copies of
 *       them can be freed.
 * </ol>
 *
 * If that fails the copies stay. Called by the store's owner only, one segment at a time.
 */
public final class Rewriting {
  private final SlotReserve room;
  private final Segments segments;
  private final Flusher flusher;
  private final RecordCodec codec = new RecordCodec();
  private boolean busy;

  public Rewriting(LogParts parts) {
    this.room = parts.room();
    this.segments = parts.segments();
    this.flusher = parts.flusher();
  }

  boolean busy() {
    return busy;
  }

  /** The oldest segment that must be moved and could not be moved for lack of room, or null. */
  @Nullable Segment stranded() {
    for (Segment segment : segments.all()) {
      boolean waits = segment.evacuate && segment.roomless && !segment.suspect;
      if (waits && segment.file != null && !segment.unreadable && segment.idle()) return segment;
    }
    return null;
  }

  void start(Segment segment) {
    // Whatever becomes of it, a move is tried before the next attempt.
    segment.roomless = false;
    if (segment.image == null) {
      load(segment);
    } else {
      begin(segment);
      force(segment);
    }
  }

  private void begin(Segment segment) {
    busy = true;
    segment.pins++;
  }

  private void end(Segment segment) {
    busy = false;
    segment.pins--;
  }

  /** Step 1: the file's header and records become the image. */
  private void load(Segment segment) {
    Slot file = segment.file;
    Slot image = room.imageSlot();
    if (file == null || image == null) return;
    begin(segment);
    ByteBuffer header = ByteBuffer.allocateDirect(SegmentHeader.BYTES);
    int bodyBytes = segment.tail - SegmentHeader.BYTES;
    ByteBuffer body = image.bytes().slice(SegmentHeader.BYTES, bodyBytes);
    Disk disk = file.disk();
    disk.read(
        file.name(),
        0,
        header,
        headerRead -> {
          if (!headerRead.succeeded()) {
            giveUp(segment, image);
            return;
          }
          disk.read(
              file.name(),
              SegmentHeader.BYTES,
              body,
              bodyRead -> {
                if (bodyRead.succeeded() && isSound(segment, image.bytes())) {
                  // The header is cleared last: a slot without one is no segment.
                  image.bytes().put(0, header, 0, SegmentHeader.BYTES);
                  segments.beginRewrite(segment, image);
                  force(segment);
                } else {
                  giveUp(segment, image);
                }
              });
        });
  }

  private void giveUp(Segment segment, Slot image) {
    SegmentHeader.clear(image.bytes());
    room.memory.give(image);
    end(segment);
  }

  /** Whether every record that counts is what its checksums say. */
  private boolean isSound(Segment segment, ByteBuffer bytes) {
    RecordTable table = segment.table;
    for (int entry = 0; entry < table.size(); entry++) {
      State state = table.state(entry);
      boolean counts = state == State.LIVE || state == State.CLEAN;
      if (counts && !isSound(segment, bytes, entry)) return false;
    }
    return true;
  }

  private boolean isSound(Segment segment, ByteBuffer bytes, int entry) {
    int at = segment.table.position(entry);
    SegmentHeader in = segment.header;
    RecordHeader record = codec.headerAt(bytes, at, at, in.segmentBytes(), in.generation());
    if (record == null) return false;
    int[] checksums = codec.table(bytes, at, record.payloadBytes());
    ByteBuffer payload = bytes.slice(at + record.payloadOffset(), record.payloadBytes());
    return codec.fillState(bytes, at, checksums) == RecordCodec.Fill.COMPLETE
        && BlockChecksums.firstMismatch(payload, checksums) < 0;
  }

  /** Step 2: what the file lacks by this process is written, which is all, and forced. */
  private void force(Segment segment) {
    flusher.want(segment, Level.FORCED, answer -> forced(segment, answer));
  }

  /** Step 3: no caller has to wait for a move of its records. */
  private void forced(Segment segment, Waiter.Answer answer) {
    end(segment);
    if (!(answer instanceof Waiter.Answer.Reached)) return;
    segment.evacuate = false;
    for (Segment other : segments.all()) other.copiesOf.remove(segment);
  }
}
