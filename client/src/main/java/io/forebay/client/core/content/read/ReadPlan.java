// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.read;

import io.forebay.client.core.content.FileContent;
import io.forebay.client.core.content.write.Piece;
import io.forebay.client.core.content.write.PieceTable;
import io.forebay.client.core.route.TreeSession;
import io.forebay.wire.message.Names;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a range of a file consists of: steps in order, without gaps. */
final class ReadPlan {
  /** Zeros are written in steps of this. */
  private static final byte[] ZEROS = new byte[8192];

  /**
   * A part of the range: bytes in memory, a record to fetch from, a part that the backing store
   * has, or else zeros.
   *
   * @param source the record to fetch it from, if one has it
   * @param backed whether the backing store has it
   * @param bytes the bytes themselves, if this client has them
   * @param own the piece it belongs to, if this client has not published it
   */
  record Step(
      long offset,
      int lengthBytes,
      RecordFetch.@Nullable Source source,
      boolean backed,
      @Nullable ByteBuffer bytes,
      @Nullable Piece own) {
    static Step fetched(long from, long to, RecordFetch.Source source) {
      return new Step(from, (int) (to - from), source, false, null, null);
    }

    /** Bytes in no record. */
    static Step gap(long from, long to, boolean backed) {
      return new Step(from, (int) (to - from), null, backed, null, null);
    }
  }

  private final List<Step> steps = new ArrayList<>();
  private final int instance;
  private final Names.RunsAre told;
  private final int pieceBytesMax;

  private ReadPlan(int instance, Names.RunsAre told, int pieceBytesMax) {
    this.instance = instance;
    this.told = told;
    this.pieceBytesMax = pieceBytesMax;
  }

  /**
   * Puts this client's unpublished pieces over the home's answer.
   *
   * @param pieceBytesMax the maximum of one request to the backing store
   */
  static ReadPlan of(
      TreeSession session,
      long from,
      long to,
      Names.RunsAre told,
      @Nullable FileContent own,
      int pieceBytesMax) {
    ReadPlan plan = new ReadPlan(session.instance().id(), told, pieceBytesMax);
    List<PieceTable.Part> parts =
        own == null ? List.of() : own.unpublished(from, to, told.sizeBytes());
    long at = from;
    for (PieceTable.Part part : parts) {
      plan.addPublished(at, part.offset());
      plan.steps.add(ownStep(part, session));
      at = part.endOffset();
    }
    plan.addPublished(at, to);
    return plan;
  }

  /** The proof that this client may read these runs. */
  long proof() {
    return told.proof();
  }

  List<Step> steps() {
    return steps;
  }

  private static Step ownStep(PieceTable.Part part, TreeSession session) {
    Piece piece = part.piece();
    ByteBuffer bytes = piece.bytes();
    if (bytes != null) {
      ByteBuffer view = bytes.slice(bytes.position() + part.pieceOffset(), part.lengthBytes());
      return new Step(part.offset(), part.lengthBytes(), null, false, view, piece);
    }
    RecordFetch.Source source =
        new RecordFetch.Source(
            piece.group(),
            piece.record(session.id()),
            session.instance().id(),
            part.pieceOffset(),
            session.secret());
    return new Step(part.offset(), part.lengthBytes(), source, false, null, piece);
  }

  /** Adds the published runs of a range, and the gaps between them. */
  private void addPublished(long from, long to) {
    List<Names.Run> runs = told.runs();
    long at = from;
    for (int i = firstBehind(runs, from); i < runs.size() && runs.get(i).offset() < to; i++) {
      Names.Run run = runs.get(i);
      long start = Math.max(at, run.offset());
      long end = Math.min(to, run.offset() + run.lengthBytes());
      if (start >= end) continue;
      addGap(at, start);
      int recordOffset = run.recordOffset() + (int) (start - run.offset());
      steps.add(
          Step.fetched(
              start,
              end,
              new RecordFetch.Source(
                  run.group(), run.record(), instance, recordOffset, told.proof())));
      at = end;
    }
    addGap(at, to);
  }

  /** A gap between runs: the backing store has it as far as its bytes reach, then zeros follow. */
  private void addGap(long from, long to) {
    long backedTo = Math.max(from, Math.min(to, told.backedBytes()));
    for (long at = from; at < backedTo; ) {
      // Pieces end at multiples of their length, which stores read best.
      long end = Math.min(backedTo, at + pieceBytesMax - at % pieceBytesMax);
      steps.add(Step.gap(at, end, true));
      at = end;
    }
    if (backedTo < to) steps.add(Step.gap(backedTo, to, false));
  }

  /** The first run that ends behind an offset; they are in order and do not overlap. */
  private static int firstBehind(List<Names.Run> runs, long offset) {
    int low = 0;
    int high = runs.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      Names.Run run = runs.get(middle);
      if (run.offset() + run.lengthBytes() <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  static void zero(ByteBuffer place) {
    while (place.hasRemaining()) place.put(ZEROS, 0, Math.min(ZEROS.length, place.remaining()));
  }
}
