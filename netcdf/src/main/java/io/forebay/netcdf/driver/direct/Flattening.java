// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

import io.forebay.drain.reorder.Pieces;
import io.forebay.netcdf.data.Conversion;
import io.forebay.netcdf.data.Runs;
import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.Variable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Converts requests in terms of variables into pieces of the file, in its order and without
 * overlaps, and their elements into the file's bytes.
 */
final class Flattening {
  private final Layout layout;
  private final List<Transfer> transfers;
  private final long totalBytes;

  Flattening(Layout layout, List<Transfer> transfers) {
    this.layout = layout;
    this.transfers = transfers;
    long bytes = 0;
    for (Transfer transfer : transfers) {
      bytes += transfer.values().count() * variable(transfer).type().sizeBytes();
    }
    totalBytes = bytes;
  }

  private Variable variable(Transfer transfer) {
    return layout.header().variables().get(transfer.variable());
  }

  /** How many bytes all elements have in the file. */
  long totalBytes() {
    return totalBytes;
  }

  /** The pieces of all requests. */
  FileOrder order() {
    return FileOrder.over(layout, transfers);
  }

  /** The same pieces without overlaps, with consecutive positions in file order. */
  static Pieces inFileOrder(Pieces pieces) {
    Pieces ordered = new Pieces(pieces.count());
    long place = 0;
    for (int i = 0; i < pieces.count(); i++) {
      ordered.append(pieces.offset(i), pieces.lengthBytes(i), 0, place);
      place += pieces.lengthBytes(i);
    }
    return ordered;
  }

  /** Writes the elements of all requests to memory in the file's representation. */
  boolean encode(MemorySegment memory) {
    boolean allFit = true;
    long at = 0;
    Header header = layout.header();
    for (Transfer transfer : transfers) {
      Variable variable = variable(transfer);
      long bytes = transfer.values().count() * variable.type().sizeBytes();
      Values target = external(memory.asSlice(at, bytes), variable);
      Values fill = FillValues.of(variable);
      allFit &= Conversion.convert(transfer.values(), target, fill, header.format());
      at += bytes;
    }
    return allFit;
  }

  /** Takes the elements of all requests from memory that holds pieces in the order of the file. */
  boolean decode(Pieces ordered, MemorySegment memory) {
    boolean[] allFit = {true};
    for (Transfer transfer : transfers) {
      Variable variable = variable(transfer);
      Values fill = Conversion.fillOf(transfer.values().type());
      long[] element = new long[1];
      PieceSearch search = new PieceSearch(ordered);
      for (Subarray part : transfer.parts()) {
        Runs.of(layout, variable, part)
            .forEach(
                (offset, bytes) -> {
                  Values source = external(memory.asSlice(search.place(offset), bytes), variable);
                  long count = source.count();
                  Values target = transfer.values().slice(element[0], count);
                  allFit[0] &= Conversion.convert(source, target, fill, layout.header().format());
                  element[0] += count;
                });
      }
    }
    return allFit[0];
  }

  private static Values external(MemorySegment memory, Variable variable) {
    return new Values(memory, variable.type(), ByteOrder.BIG_ENDIAN);
  }

  /** Finds where the bytes of an offset are, quickly if offsets come in order. */
  private static final class PieceSearch {
    private final Pieces pieces;
    private int last;

    PieceSearch(Pieces pieces) {
      this.pieces = pieces;
    }

    long place(long offset) {
      if (!holds(last, offset)) last = holds(last + 1, offset) ? last + 1 : search(offset);
      return pieces.sourceOffset(last) + (offset - pieces.offset(last));
    }

    private boolean holds(int piece, long offset) {
      return piece < pieces.count()
          && pieces.offset(piece) <= offset
          && offset < pieces.endOffset(piece);
    }

    private int search(long offset) {
      int low = 0;
      int high = pieces.count() - 1;
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        if (pieces.offset(middle) <= offset) low = middle;
        else high = middle - 1;
      }
      return low;
    }
  }
}
