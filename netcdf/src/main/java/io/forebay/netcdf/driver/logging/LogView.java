// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging;

import io.forebay.netcdf.data.Conversion;
import io.forebay.netcdf.data.Runs;
import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.driver.direct.FillValues;
import io.forebay.netcdf.driver.logging.layout.LogEntry;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.Variable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads from a log: puts the entries' elements over what was read before. Values are converted to
 * the type of their variable, so that they are the same as if they had come from the file.
 */
final class LogView {
  /** Where the data of entries is read from. */
  interface Data {
    void read(MemorySegment memory, long offset) throws IOException;
  }

  /** A run of an entry: where in the file, and which of its elements. */
  private record Run(long offset, long bytes, long element) {
    long end() {
      return offset + bytes;
    }
  }

  private final Layout layout;
  private final ByteOrder order;
  private final Data data;

  LogView(Header header, ByteOrder order, Data data) {
    layout = Layout.of(header);
    this.order = order;
    this.data = data;
  }

  /** Whether one entry has all requested elements. */
  static boolean covers(List<LogEntry> entries, Transfer get) {
    for (LogEntry entry : entries) {
      if (entry.variable() != get.variable()) continue;
      if (entry.parts().equals(get.parts())) return true;
      for (Subarray part : entry.parts()) {
        if (get.parts().stream().allMatch(wanted -> contains(part, wanted))) return true;
      }
    }
    return false;
  }

  private static boolean contains(Subarray part, Subarray wanted) {
    if (part.isStrided()) return false;
    for (int d = 0; d < part.dimensions(); d++) {
      if (wanted.start(d) < part.start(d) || wanted.last(d) > part.last(d)) return false;
    }
    return true;
  }

  private static boolean meet(Subarray a, Subarray b) {
    for (int d = 0; d < a.dimensions(); d++) {
      if (a.last(d) < b.start(d) || b.last(d) < a.start(d)) return false;
    }
    return true;
  }

  /**
   * Copies the elements that an entry has in common with a request.
   *
   * @return whether all of them fitted
   */
  boolean overlay(LogEntry entry, Transfer get) throws IOException {
    if (entry.variable() != get.variable()) return true;
    Variable variable = layout.header().variables().get(get.variable());
    boolean allFit = true;
    long entryElement = 0;
    try {
      for (Subarray part : entry.parts()) {
        long getElement = 0;
        for (Subarray wanted : get.parts()) {
          if (meet(part, wanted)) {
            allFit &=
                overlay(
                    entry, variable, runs(variable, part, entryElement), wanted, get, getElement);
          }
          getElement += wanted.elements();
        }
        entryElement += part.elements();
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return allFit;
  }

  private List<Run> runs(Variable variable, Subarray part, long firstElement) {
    List<Run> runs = new ArrayList<>();
    long[] element = {firstElement};
    Runs.of(layout, variable, part)
        .forEach(
            (offset, bytes) -> {
              runs.add(new Run(offset, bytes, element[0]));
              element[0] += bytes / variable.type().sizeBytes();
            });
    return runs;
  }

  private boolean overlay(
      LogEntry entry,
      Variable variable,
      List<Run> runs,
      Subarray wanted,
      Transfer get,
      long firstElement) {
    int size = variable.type().sizeBytes();
    boolean[] allFit = {true};
    int[] next = {0};
    long[] element = {firstElement};
    Runs.of(layout, variable, wanted)
        .forEach(
            (offset, bytes) -> {
              while (next[0] < runs.size() && runs.get(next[0]).end() <= offset) next[0]++;
              for (int i = next[0]; i < runs.size() && runs.get(i).offset < offset + bytes; i++) {
                Run run = runs.get(i);
                long from = Math.max(offset, run.offset);
                long count = (Math.min(offset + bytes, run.end()) - from) / size;
                Values target = get.values().slice(element[0] + (from - offset) / size, count);
                long source = run.element + (from - run.offset) / size;
                allFit[0] &= copy(entry, source, variable, target);
              }
              element[0] += bytes / size;
            });
    return allFit[0];
  }

  private boolean copy(LogEntry entry, long element, Variable variable, Values target) {
    long count = target.count();
    int size = entry.type().sizeBytes();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(count * size, Long.BYTES);
      data.read(memory, entry.dataOffset() + element * size);
      Values logged = new Values(memory, entry.type(), order);
      MemorySegment room = arena.allocate(count * variable.type().sizeBytes(), Long.BYTES);
      Values stored = Values.of(room, variable.type());
      Conversion.convert(logged, stored, FillValues.of(variable), layout.header().format());
      return Conversion.convert(
          stored, target, Conversion.fillOf(target.type()), layout.header().format());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
