// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

import io.forebay.drain.reorder.Pieces;
import io.forebay.drain.reorder.Reordering;
import io.forebay.drain.reorder.Requests;
import io.forebay.netcdf.data.Runs;
import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.Variable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two-level reordering of requests in terms of variables. The first and the last byte of a
 * rectangular part are known, and it is in order inside. So parts are sorted as a whole. Parts that
 * interleave with no other are flattened only in their final place; only the others are flattened
 * and sorted run by run.
 */
public final class FileOrder {
  /** Longer runs become several pieces, since a piece's length is an int. */
  private static final int PIECE_BYTES_MAX = 1 << 30;

  /** Parts with fewer runs on average are flattened at once. */
  private static final int PART_RUNS_MIN = 4;

  private static final int EXPECTED_PIECES_MAX = 1 << 24;

  /** One rectangle: its runs, and the position of its bytes among those of all requests. */
  private record Part(Runs runs, long place, int age) {}

  /** A range of bytes of the file. */
  private record Range(long from, long to) {
    static final Range ALL = new Range(0, Long.MAX_VALUE);
  }

  private final Layout layout;
  private final List<Transfer> transfers;

  /** The request if it is one rectangle, as in most programs. */
  private final @Nullable Part only;

  private long runs;
  private long start = Long.MAX_VALUE;
  private long end;

  private FileOrder(Layout layout, List<Transfer> transfers) {
    this.layout = layout;
    this.transfers = transfers;
    only = only();
    eachPart(
        part -> {
          runs += part.runs.count();
          start = Math.min(start, part.runs.firstOffset());
          end = Math.max(end, part.runs.endOffset());
        });
  }

  private @Nullable Part only() {
    if (transfers.size() != 1 || transfers.getFirst().parts().size() != 1) return null;
    Transfer transfer = transfers.getFirst();
    Variable variable = layout.header().variables().get(transfer.variable());
    Runs all = Runs.of(layout, variable, transfer.parts().getFirst());
    return all.count() == 0 ? null : new Part(all, 0, transfer.age());
  }

  /** Requests that are brought into order when pieces are asked for. */
  public static FileOrder over(Layout layout, List<Transfer> transfers) {
    return new FileOrder(layout, transfers);
  }

  /**
   * The pieces of all requests in the order of the file and without overlaps: younger ones, then
   * later ones win. Each piece has its position in the concatenated bytes of all requests, and its
   * age as source.
   */
  public static Pieces of(Layout layout, List<Transfer> transfers) {
    return over(layout, transfers).pieces();
  }

  /** Where the first byte is. */
  long start() {
    return start;
  }

  /** Where the last byte ends; 0 if there is none. */
  long end() {
    return end;
  }

  /** The number of runs of all requests, which determines the memory. */
  long runs() {
    return runs;
  }

  /** How many of them have bytes at offsets from one up to another. */
  long runs(long from, long to) {
    long[] count = new long[1];
    eachPart(part -> count[0] += part.runs.countWithin(from, to));
    return count[0];
  }

  /** All pieces. */
  Pieces pieces() {
    return pieces(Range.ALL, runs);
  }

  /** The pieces between two offsets, cut off there. */
  public Pieces pieces(long from, long to) {
    return pieces(new Range(from, to), runs(from, to));
  }

  private Pieces pieces(Range range, long runsInside) {
    int expected = (int) Math.min(runsInside, EXPECTED_PIECES_MAX);
    if (only != null) {
      // In order as it is.
      Pieces pieces = new Pieces(expected);
      if (isInside(only, range)) append(only, pieces, range);
      pieces.trim();
      return pieces;
    }
    List<Part> parts = new ArrayList<>();
    long[] count = new long[1];
    eachPart(part -> count[0] += isInside(part, range) ? 1 : 0);
    if (runsInside / PART_RUNS_MIN < count[0]) {
      Flat flat = new Flat(expected, range);
      eachPart(
          part -> {
            if (isInside(part, range)) flat.add(part);
          });
      return flat.pieces();
    }
    eachPart(
        part -> {
          if (isInside(part, range)) parts.add(part);
        });
    return stacked(parts, expected, range);
  }

  private static boolean isInside(Part part, Range range) {
    return part.runs.firstOffset() < range.to && part.runs.endOffset() > range.from;
  }

  /** Takes one part. */
  private interface Sink {
    void part(Part part);
  }

  private void eachPart(Sink sink) {
    if (only != null) {
      sink.part(only);
      return;
    }
    long place = 0;
    for (Transfer transfer : transfers) {
      Variable variable = layout.header().variables().get(transfer.variable());
      for (Subarray each : transfer.parts()) {
        Runs runs = Runs.of(layout, variable, each);
        if (runs.count() == 0) continue;
        sink.part(new Part(runs, place, transfer.age()));
        place += runs.count() * runs.runBytes();
      }
    }
  }

  private static Pieces stacked(List<Part> parts, int expected, Range range) {
    // Parts that begin at the same byte keep their order: the later one wins.
    parts.sort(Comparator.comparingLong(part -> part.runs.firstOffset()));
    Pieces pieces = new Pieces(expected);
    int from = 0;
    while (from < parts.size()) {
      long end = parts.get(from).runs.endOffset();
      int to = from + 1;
      while (to < parts.size() && parts.get(to).runs.firstOffset() < end) {
        end = Math.max(end, parts.get(to).runs.endOffset());
        to++;
      }
      if (to == from + 1) append(parts.get(from), pieces, range);
      else append(parts.subList(from, to), pieces, range);
      from = to;
    }
    pieces.trim();
    return pieces;
  }

  private static void append(Part part, Pieces pieces, Range range) {
    each(part, range, (offset, bytes, place) -> pieces.append(offset, bytes, part.age, place));
  }

  /** Gets bytes of a part, with their position among those of all requests. */
  private interface PieceSink {
    void piece(long offset, int bytes, long place);
  }

  private static void each(Part part, Range range, PieceSink sink) {
    if (range.equals(Range.ALL)) {
      long[] place = {part.place};
      part.runs.forEach(
          (offset, bytes) -> {
            cut(offset, bytes, place[0], sink);
            place[0] += bytes;
          });
      return;
    }
    part.runs.forEachWithin(
        range.from,
        range.to,
        (offset, bytes, number) -> {
          long from = Math.max(offset, range.from);
          long to = Math.min(offset + bytes, range.to);
          cut(from, to - from, part.place + number * bytes + from - offset, sink);
        });
  }

  private static void cut(long offset, long bytes, long place, PieceSink sink) {
    for (long done = 0; done < bytes; done += PIECE_BYTES_MAX) {
      int step = (int) Math.min(PIECE_BYTES_MAX, bytes - done);
      sink.piece(offset + done, step, place + done);
    }
  }

  private static void append(List<Part> interleaved, Pieces pieces, Range range) {
    long runs = 0;
    for (Part part : interleaved) {
      runs +=
          range.equals(Range.ALL) ? part.runs.count() : part.runs.countWithin(range.from, range.to);
    }
    Flat flat = new Flat((int) Math.min(runs, EXPECTED_PIECES_MAX), range);
    // In the order in which they were written, which is that of their bytes.
    interleaved.stream().sorted(Comparator.comparingLong(Part::place)).forEach(flat::add);
    Pieces sorted = flat.pieces();
    for (int i = 0; i < sorted.count(); i++) {
      pieces.append(
          sorted.offset(i), sorted.lengthBytes(i), sorted.source(i), sorted.sourceOffset(i));
    }
  }

  /** Parts that are flattened, in the order in which they were written. */
  private static final class Flat {
    private final Requests requests;
    private final Range range;
    private int sequence;

    Flat(int expected, Range range) {
      requests = new Requests(expected);
      this.range = range;
    }

    void add(Part part) {
      requests.begin(part.age, sequence++);
      each(part, range, (offset, bytes, place) -> requests.add(offset, bytes, part.age, place));
    }

    Pieces pieces() {
      return Reordering.reorder(requests).pieces();
    }
  }
}
