// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.read;

import io.forebay.client.core.content.FileContent;
import io.forebay.client.core.content.write.PieceTable;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The bytes and holes of a part of a file: published bytes, bytes that only the backing store has,
 * and this client's unpublished bytes.
 */
final class Coverage {
  private record Data(long from, long to) {}

  private final long throughOffset;
  private final long sizeBytes;

  /** In order, with holes between them. */
  private final List<Data> all;

  private Coverage(long throughOffset, long sizeBytes, List<Data> all) {
    this.throughOffset = throughOffset;
    this.sizeBytes = sizeBytes;
    this.all = all;
  }

  /** The coverage from an answer about the file from an offset on, and this client's own writes. */
  static Coverage of(long offset, Names.RunsAre told, FileContent own) {
    long sizeBytes = own.sizeBytes(told.sizeBytes());
    // Behind the published end there are only this client's unpublished bytes, which are known.
    boolean tellsAll = told.throughOffset() >= told.sizeBytes();
    long through = tellsAll ? sizeBytes : told.throughOffset();
    List<Data> found = new ArrayList<>();
    found.add(new Data(0, Math.min(told.backedBytes(), through)));
    for (Names.Run run : told.runs()) {
      found.add(new Data(run.offset(), run.offset() + run.lengthBytes()));
    }
    for (PieceTable.Part part : own.unpublished(offset, through, told.sizeBytes())) {
      found.add(new Data(part.offset(), part.endOffset()));
    }
    return new Coverage(through, sizeBytes, joined(found));
  }

  private static List<Data> joined(List<Data> found) {
    found.sort(Comparator.comparingLong(Data::from));
    List<Data> joined = new ArrayList<>();
    Data last = new Data(0, 0);
    for (Data next : found) {
      if (next.from() <= last.to()) {
        last = new Data(last.from(), Math.max(last.to(), next.to()));
      } else {
        if (last.to() > last.from()) joined.add(last);
        last = next;
      }
    }
    if (last.to() > last.from()) joined.add(last);
    return joined;
  }

  /** Nothing is known behind this offset, unless it is the file's end. */
  long throughOffset() {
    return throughOffset;
  }

  /** The file's size as this client sees it. */
  long sizeBytes() {
    return sizeBytes;
  }

  /** The first byte at or behind an offset that is in no hole; no less than through if none is. */
  long dataFrom(long offset) {
    for (Data data : all) {
      if (data.to() > offset) return Math.max(offset, data.from());
    }
    return throughOffset;
  }

  /** The first byte at or behind an offset that is in a hole, or where the known part ends. */
  long holeFrom(long offset) {
    long at = offset;
    for (Data data : all) {
      if (data.from() <= at && at < data.to()) at = data.to();
    }
    return at;
  }

  /** How many bytes between two offsets are in holes. */
  long holeBytes(long from, long to) {
    long bytes = to - from;
    for (Data data : all) {
      bytes -= Math.max(0, Math.min(to, data.to()) - Math.max(from, data.from()));
    }
    return bytes;
  }
}
