// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging;

import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Driver;
import io.forebay.netcdf.driver.Meter;
import io.forebay.netcdf.driver.Meter.Quantity;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.driver.direct.Scratch;
import io.forebay.netcdf.driver.logging.layout.LogEntry;
import io.forebay.parallel.Group;
import io.forebay.parallel.Reduction;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Flushes logs to the file in rounds, each of which fits the flush buffer of every rank.
 * Collective; one thread of each rank at a time.
 */
final class LogFlush implements AutoCloseable {
  /**
   * The result.
   *
   * @param failure the failure on this rank, if any
   * @param begun whether all ranks were ready
   * @param anything whether any rank had data to flush
   */
  record Outcome(@Nullable IOException failure, boolean begun, boolean anything) {}

  /** The maximum number of writes per round: even a short one takes memory. */
  private static final int ENTRIES_MAX = 1 << 16;

  private record Source(LogWriter log, LogEntry entry) {}

  private final Group group;
  private final Driver target;
  private final long bufferBytes;
  private final Meter meter;
  private final Scratch batch = new Scratch();

  LogFlush(Group group, Driver target, long bufferBytes, Meter meter) {
    this.group = group;
    this.target = target;
    this.bufferBytes = bufferBytes;
    this.meter = meter;
  }

  /**
   * Flushes everything in these logs, oldest first.
   *
   * @param mayBegin whether this rank is ready; if one rank is not, no rank begins
   */
  Outcome run(List<LogWriter> logs, boolean mayBegin) {
    long start = meter.nanos();
    List<Source> all = new ArrayList<>();
    for (LogWriter log : logs) {
      for (LogEntry entry : log.entries()) all.add(new Source(log, entry));
    }
    IOException failure = null;
    int rounds = 0;
    int next = 0;
    boolean more = true;
    while (more) {
      long youngest = all.isEmpty() ? -1 : all.getLast().entry.age();
      long[] lowest =
          group.allReduce(
              new long[] {highestAge(all, next), -youngest, mayBegin ? 1 : 0}, Reduction.MIN);
      if (lowest[2] == 0) return new Outcome(null, false, false);
      long highest = lowest[0];
      if (highest == Long.MAX_VALUE) break;
      // No rank has younger writes: this round is the last one.
      more = highest < -lowest[1];
      int end = end(all, next, highest);
      List<Transfer> transfers = List.of();
      try {
        transfers = transfers(all.subList(next, end));
      } catch (IOException e) {
        failure = e;
      }
      try {
        // Called even without data: other ranks may have some.
        target.put(transfers, true);
      } catch (IOException e) {
        failure = e;
      }
      next = end;
      rounds++;
    }
    meter.addSince(Quantity.FLUSH_NANOS, start);
    meter.add(Quantity.FLUSHES, 1);
    meter.add(Quantity.FLUSH_ROUNDS, rounds);
    return new Outcome(failure, true, rounds > 0);
  }

  /**
   * The age up to which all of this rank's writes fit the flush buffer. All ranks flush up to the
   * lowest of these, so that newer writes are never flushed before older ones. All writes of a
   * collective call stay together; independent writes need not.
   */
  private long highestAge(List<Source> all, int from) {
    if (from == all.size()) return Long.MAX_VALUE;
    long bytes = 0;
    LogEntry first = all.get(from).entry;
    long fits = first.isOfOneRank() ? first.age() - 1L : first.age();
    int i = from;
    while (i < all.size()) {
      int current = all.get(i).entry.age();
      for (; i < all.size() && all.get(i).entry.age() == current; i++) {
        bytes += all.get(i).entry.dataBytes();
      }
      if (i - from > ENTRIES_MAX || (bufferBytes > 0 && bytes > bufferBytes)) break;
      fits = current;
    }
    return fits;
  }

  /** Where this round's writes end: all up to an age, and as many independent ones as fit. */
  private int end(List<Source> all, int from, long highest) {
    int end = from;
    long bytes = 0;
    while (end < all.size()) {
      LogEntry entry = all.get(end).entry;
      bytes += entry.dataBytes();
      boolean full = end - from >= ENTRIES_MAX || (bufferBytes > 0 && bytes > bufferBytes);
      boolean more = entry.age() == highest + 1 && entry.isOfOneRank() && (!full || end == from);
      if (entry.age() > highest && !more) break;
      end++;
    }
    return end;
  }

  private List<Transfer> transfers(List<Source> sources) throws IOException {
    long bytes = 0;
    for (Source source : sources) bytes += source.entry.dataBytes();
    MemorySegment memory = batch.take(bytes);
    List<Transfer> transfers = new ArrayList<>();
    long at = 0;
    for (int from = 0; from < sources.size(); ) {
      // Consecutive entries of one log have consecutive data.
      LogWriter log = sources.get(from).log;
      long first = at;
      int to = from;
      for (; to < sources.size() && sources.get(to).log.equals(log); to++) {
        LogEntry entry = sources.get(to).entry;
        Values values = Values.of(memory.asSlice(at, entry.dataBytes()), entry.type());
        transfers.add(new Transfer(entry.variable(), entry.parts(), values, entry.age()));
        at += entry.dataBytes();
      }
      log.read(memory.asSlice(first, at - first), sources.get(from).entry.dataOffset());
      from = to;
    }
    return transfers;
  }

  @Override
  public void close() {
    batch.close();
  }
}
