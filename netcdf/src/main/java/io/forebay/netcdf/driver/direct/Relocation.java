// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.HeaderWriter;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.Variable;
import io.forebay.netcdf.store.SharedFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Moves the data of a file to the positions of new definitions. Data only moves towards the end of
 * the file, so the move starts at the end, and no byte is overwritten before it was moved. Gaps are
 * filled with zeros, as if they had never been written. Done by one rank.
 */
final class Relocation {
  private static final int BUFFER_BYTES = 8 << 20;

  private final SharedFile file;
  private final Layout before;
  private final Layout after;
  private final MemorySegment buffer;
  private final long oldEnd;

  /** The start of the moved data: zeros go up to here. */
  private long boundary;

  private Relocation(SharedFile file, Layout before, Layout after, MemorySegment buffer)
      throws IOException {
    this.file = file;
    this.before = before;
    this.after = after;
    this.buffer = buffer;
    oldEnd = file.sizeBytes();
    boundary = oldEnd;
  }

  /** Moves data from one layout to another of the same variables, and perhaps more. */
  static void move(SharedFile file, Layout before, Layout after) throws IOException {
    if (!isNeeded(before, after)) return;
    try (Scratch scratch = new Scratch()) {
      new Relocation(file, before, after, scratch.take(BUFFER_BYTES)).run();
    }
  }

  private static boolean isNeeded(Layout before, Layout after) {
    if (before.recordBytes() != after.recordBytes() && before.header().recordCount() > 0) {
      return true;
    }
    List<Variable> old = before.header().variables();
    for (int i = 0; i < old.size(); i++) {
      if (old.get(i).begin() != after.header().variables().get(i).begin()) return true;
    }
    return false;
  }

  private void run() throws IOException {
    List<Integer> records = new ArrayList<>();
    List<Integer> fixed = new ArrayList<>();
    Header old = before.header();
    for (int i = 0; i < old.variables().size(); i++) {
      (old.isRecord(old.variables().get(i)) ? records : fixed).add(i);
    }
    Comparator<Integer> lastFirst =
        Comparator.comparingLong((Integer i) -> old.variables().get(i).begin()).reversed();
    records.sort(lastFirst);
    fixed.sort(lastFirst);
    for (long record = old.recordCount() - 1; record >= 0; record--) {
      for (int variable : records) move(variable, record);
    }
    for (int variable : fixed) move(variable, 0);
    zeros(HeaderWriter.length(after.header()), boundary);
  }

  private void move(int variable, long record) throws IOException {
    Variable old = before.header().variables().get(variable);
    long from = before.offset(old, record);
    long to = after.offset(after.header().variables().get(variable), record);
    long bytes = Math.max(0, Math.min(before.header().dataBytes(old), oldEnd - from));
    // The last part first: the new place may begin inside of the old one.
    long left = bytes;
    while (left > 0 && from != to) {
      long step = Math.min(left, BUFFER_BYTES);
      MemorySegment part = buffer.asSlice(0, step);
      TwoPhase.readFully(file, part, from + left - step);
      file.write(part, to + left - step);
      left -= step;
    }
    zeros(to + bytes, boundary);
    boundary = to;
  }

  private void zeros(long start, long end) throws IOException {
    long until = Math.min(end, oldEnd);
    long at = start;
    while (at < until) {
      MemorySegment part = buffer.asSlice(0, Math.min(BUFFER_BYTES, until - at)).fill((byte) 0);
      file.write(part, at);
      at += part.byteSize();
    }
  }
}
