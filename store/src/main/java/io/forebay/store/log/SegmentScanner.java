// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.log;

import io.forebay.base.BlockChecksums;
import java.nio.ByteBuffer;

/**
 * Finds the records in a segment's bytes, even if they are damaged. It hops from header to header;
 * where a header does not validate it looks for the next valid one, so that damage never hides
 * later records. It trusts no unchecked length and throws nothing.
 *
 * <p>The bytes may arrive piece by piece: {@link #advance} judges every record that is complete.
 */
public final class SegmentScanner {
  /** Gets the findings in the order of position. */
  public interface Visitor {
    /** A record whose payload matches its checksums. */
    void complete(RecordHeader record, int position);

    /** A reservation that was never filled. */
    void unfilled(RecordHeader record, int position);

    /** A record whose fill or payload does not match its checksums. */
    void damaged(RecordHeader record, int position);

    /** Bytes that no header explains, before a valid record or where one seems to have been. */
    void gap(int from, int to);
  }

  private static final int NO_GAP = -1;

  private final RecordCodec codec = new RecordCodec();
  private final ByteBuffer segment;
  private final long generation;
  private final int end;
  private final Visitor visitor;
  private int position = SegmentHeader.BYTES;
  private int gapFrom = NO_GAP;
  private int tail = SegmentHeader.BYTES;
  private int lastResemblance;

  public SegmentScanner(ByteBuffer segment, int end, long generation, Visitor visitor) {
    this.segment = segment;
    this.end = end;
    this.generation = generation;
    this.visitor = visitor;
  }

  /** Judges the records that end at or before that position. */
  public void advance(int available) {
    while (position + RecordLayout.RESERVED_BYTES <= available) {
      RecordHeader record = codec.header(segment, position, end, generation);
      if (record == null) {
        if (gapFrom == NO_GAP) gapFrom = position;
        if (codec.resemblesHeader(segment, position, generation)) lastResemblance = position;
        position += RecordLayout.ALIGN_BYTES;
        continue;
      }
      if (position + record.recordBytes() > available) return;
      if (gapFrom != NO_GAP) visitor.gap(gapFrom, position);
      gapFrom = NO_GAP;
      judge(record);
      position += record.recordBytes();
      tail = position;
    }
  }

  /** Judges the whole segment and gives the end of its last record. */
  public int finish() {
    advance(end);
    // The last record has none behind it that would show its header to be broken.
    if (gapFrom != NO_GAP && lastResemblance >= gapFrom) {
      visitor.gap(gapFrom, lastResemblance + RecordLayout.ALIGN_BYTES);
    }
    return tail;
  }

  private void judge(RecordHeader record) {
    int[] checksums = codec.table(segment, position, record.payloadBytes());
    switch (codec.fillState(segment, position, checksums)) {
      case VOID -> visitor.unfilled(record, position);
      case DAMAGED -> visitor.damaged(record, position);
      case COMPLETE -> {
        ByteBuffer payload =
            segment.slice(position + record.payloadOffset(), record.payloadBytes());
        if (BlockChecksums.firstMismatch(payload, checksums) < 0) {
          visitor.complete(record, position);
        } else {
          visitor.damaged(record, position);
        }
      }
    }
  }
}
