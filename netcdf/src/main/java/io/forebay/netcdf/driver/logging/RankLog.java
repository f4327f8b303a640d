// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging;

import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.driver.logging.layout.FileMark;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The log of one rank: one part, or two in turn, of which the older one is flushed while the other
 * is written.
 *
 * <p>Whenever a part is restarted it gets a generation, in step with all other ranks: one more than
 * the other part's when it takes over from that, two more than its own when everything is in the
 * file. A part is restarted only when all ranks have flushed its content. So among the parts of all
 * ranks, those of the highest generation and of the one before it hold everything that may not be
 * in the file, and all writes of those generations, from all ranks. Used by one thread at a time.
 */
final class RankLog implements AutoCloseable {
  /** The first part's first generation; entries of generation 0 are leftovers for all ranks. */
  private static final long FIRST_GENERATION = 2;

  private static final int WHOLE_STEP = 2;

  private final List<LogWriter> parts;
  private int current;
  private boolean olderIsFull;

  /** For empty parts. */
  RankLog(List<LogWriter> parts) throws IOException {
    this.parts = List.copyOf(parts);
    parts.getFirst().begin(FIRST_GENERATION);
    for (LogWriter other : parts.subList(1, parts.size())) other.begin(FIRST_GENERATION - 1);
  }

  /** Whether a part with this generation counts, given the highest generation found. */
  static boolean counts(long generation, long highest) {
    return generation > highest - WHOLE_STEP;
  }

  /** A generation with which all earlier entries are ignored. */
  static long after(long highest) {
    return highest + WHOLE_STEP;
  }

  /** Writes the mark of the file to the first part. */
  void mark(FileMark mark) throws IOException {
    parts.getFirst().mark(mark);
  }

  void append(Transfer put, int age) throws IOException {
    parts.get(current).append(put, age);
  }

  /** How much data the part has that is being written. */
  long dataBytes() {
    return parts.get(current).dataBytes();
  }

  /** The parts that hold what may not be in the file, oldest first. */
  List<LogWriter> parts() {
    List<LogWriter> full = new ArrayList<>();
    if (olderIsFull) full.add(parts.get(1 - current));
    full.add(parts.get(current));
    return full;
  }

  boolean hasWritesOf(int variable) {
    return parts().stream()
        .flatMap(part -> part.entries().stream())
        .anyMatch(entry -> entry.variable() == variable);
  }

  /** Continues in the other part; returns the full one. */
  LogWriter handOver() throws IOException {
    if (olderIsFull) throw new IllegalStateException("both parts of the log are full");
    LogWriter full = parts.get(current);
    parts.get(1 - current).begin(full.generation() + 1);
    current = 1 - current;
    olderIsFull = true;
    return full;
  }

  /** The part that was handed over is in the file, on all ranks. */
  void olderIsInFile() {
    olderIsFull = false;
  }

  /** Everything is in the file, on all ranks. */
  void begin() throws IOException {
    parts.get(current).begin(parts.get(current).generation() + WHOLE_STEP);
    olderIsFull = false;
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (LogWriter part : parts) {
      try {
        part.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) throw failure;
  }
}
