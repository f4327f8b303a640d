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

/**
 * Two-level reordering of requests in terms of variables. Of a rectangular part it is known where
 * its first and its last byte are, and that it is in order inside. So parts are sorted as a whole,
 * and those that interleave with no other are never taken apart before they are in their place;
 * only the others are flattened and sorted run by run.
 */
public final class FileOrder {
  /** Longer runs become several pieces, since a piece's length is an int. */
  private static final int PIECE_BYTES_MAX = 1 << 30;

  /** Parts of fewer runs in the mean are not worth a level of their own. */
  private static final int PART_RUNS_MIN = 4;

  private static final int EXPECTED_PIECES_MAX = 1 << 24;

  /** One rectangle: its runs, and where its bytes are among those of all requests. */
  private record Part(Runs runs, long place, int age) {}

  private final Layout layout;
  private final List<Transfer> transfers;

  private FileOrder(Layout layout, List<Transfer> transfers) {
    this.layout = layout;
    this.transfers = transfers;
  }

  /**
   * The pieces of all requests in the order of the file and without overlaps, younger ones and then
   * later ones on top, with the places of their bytes if those of all requests lie one behind the
   * other, and with their ages as sources.
   */
  public static Pieces of(Layout layout, List<Transfer> transfers) {
    return new FileOrder(layout, transfers).pieces();
  }

  private Pieces pieces() {
    long[] counts = new long[2];
    eachPart(
        part -> {
          counts[0]++;
          counts[1] += part.runs.count();
        });
    int expected = (int) Math.min(counts[1], EXPECTED_PIECES_MAX);
    if (counts[1] / PART_RUNS_MIN < counts[0]) {
      Flat flat = new Flat(expected);
      eachPart(flat::add);
      return flat.pieces();
    }
    List<Part> parts = new ArrayList<>();
    eachPart(parts::add);
    return stacked(parts, expected);
  }

  /** Takes one part. */
  private interface Sink {
    void part(Part part);
  }

  private void eachPart(Sink sink) {
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

  private static Pieces stacked(List<Part> parts, int expected) {
    // The order of parts that begin at the same byte stays: the later one counts.
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
      if (to == from + 1) append(parts.get(from), pieces);
      else append(parts.subList(from, to), pieces);
      from = to;
    }
    pieces.trim();
    return pieces;
  }

  private static void append(Part part, Pieces pieces) {
    long[] place = {part.place};
    part.runs.forEach(
        (offset, bytes) -> {
          for (long done = 0; done < bytes; done += PIECE_BYTES_MAX) {
            int step = (int) Math.min(PIECE_BYTES_MAX, bytes - done);
            pieces.append(offset + done, step, part.age, place[0] + done);
          }
          place[0] += bytes;
        });
  }

  private static void append(List<Part> interleaved, Pieces pieces) {
    long runs = 0;
    for (Part part : interleaved) runs += part.runs.count();
    Flat flat = new Flat((int) Math.min(runs, EXPECTED_PIECES_MAX));
    // In the order in which they were written, which is that of their bytes.
    interleaved.stream().sorted(Comparator.comparingLong(Part::place)).forEach(flat::add);
    Pieces sorted = flat.pieces();
    for (int i = 0; i < sorted.count(); i++) {
      pieces.append(
          sorted.offset(i), sorted.lengthBytes(i), sorted.source(i), sorted.sourceOffset(i));
    }
  }

  /** Parts that are taken apart, in the order in which they were written. */
  private static final class Flat {
    private final Requests requests;
    private int sequence;

    Flat(int expected) {
      requests = new Requests(expected);
    }

    void add(Part part) {
      requests.begin(part.age, sequence++);
      long[] place = {part.place};
      part.runs.forEach(
          (offset, bytes) -> {
            for (long done = 0; done < bytes; done += PIECE_BYTES_MAX) {
              int step = (int) Math.min(PIECE_BYTES_MAX, bytes - done);
              requests.add(offset + done, step, part.age, place[0] + done);
            }
            place[0] += bytes;
          });
    }

    Pieces pieces() {
      return Reordering.reorder(requests).pieces();
    }
  }
}
