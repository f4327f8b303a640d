package io.forebay.client.core.content;

import io.forebay.client.core.route.TreeSession;
import io.forebay.wire.message.Names;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a range of a file consists of: steps in order, without gaps. */
record ReadPlan(List<Step> steps) {
  /**
   * A part of the range: bytes at hand, a record to fetch from, or, without either, zeros.
   *
   * @param source where to fetch it, if it must be
   * @param bytes the bytes themselves, if this client has them
   * @param own the piece it belongs to, if this client has not published it
   */
  record Step(
      long offset,
      int lengthBytes,
      RecordReader.@Nullable Source source,
      @Nullable ByteBuffer bytes,
      @Nullable Piece own) {}

  /** Zeros are written in steps of this. */
  private static final byte[] ZEROS = new byte[8192];

  /** Lays what this client has not published over what the home told. */
  static ReadPlan of(
      TreeSession session, long from, long to, Names.RunsAre told, @Nullable FileContent own) {
    List<Step> steps = new ArrayList<>();
    List<PieceTable.Part> parts =
        own == null ? List.of() : own.unpublished(from, to, told.sizeBytes());
    int instance = session.instance().id();
    long at = from;
    for (PieceTable.Part part : parts) {
      addPublished(at, part.offset(), told.runs(), instance, steps);
      steps.add(ownStep(part, session));
      at = part.endOffset();
    }
    addPublished(at, to, told.runs(), instance, steps);
    return new ReadPlan(steps);
  }

  private static Step ownStep(PieceTable.Part part, TreeSession session) {
    Piece piece = part.piece();
    ByteBuffer bytes = piece.bytes();
    if (bytes != null) {
      ByteBuffer view = bytes.slice(bytes.position() + part.pieceOffset(), part.lengthBytes());
      return new Step(part.offset(), part.lengthBytes(), null, view, piece);
    }
    RecordReader.Source source =
        new RecordReader.Source(
            piece.group(), piece.record(session.id()), session.instance().id(), part.pieceOffset());
    return new Step(part.offset(), part.lengthBytes(), source, null, piece);
  }

  /** Adds the published runs of a range, and zeros where there are none. */
  private static void addPublished(
      long from, long to, List<Names.Run> runs, int instance, List<Step> steps) {
    long at = from;
    for (int i = firstBehind(runs, from); i < runs.size() && runs.get(i).offset() < to; i++) {
      Names.Run run = runs.get(i);
      long start = Math.max(at, run.offset());
      long end = Math.min(to, run.offset() + run.lengthBytes());
      if (start >= end) continue;
      addZeros(at, start, steps);
      int recordOffset = run.recordOffset() + (int) (start - run.offset());
      steps.add(
          new Step(
              start,
              (int) (end - start),
              new RecordReader.Source(run.group(), run.record(), instance, recordOffset),
              null,
              null));
      at = end;
    }
    addZeros(at, to, steps);
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

  private static void addZeros(long from, long to, List<Step> steps) {
    if (from < to) steps.add(new Step(from, (int) (to - from), null, null, null));
  }

  static void zero(ByteBuffer place) {
    while (place.hasRemaining()) place.put(ZEROS, 0, Math.min(ZEROS.length, place.remaining()));
  }
}
