package io.forebay.netcdf.driver.logging;

import io.forebay.netcdf.data.Conversion;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Driver;
import io.forebay.netcdf.driver.Meter;
import io.forebay.netcdf.driver.Meter.Quantity;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.driver.direct.Scratch;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Variable;
import io.forebay.parallel.Group;
import io.forebay.parallel.Reduction;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Appends writes to a log on fast storage, and brings them to the driver below later, many at a
 * time: when the file is closed, synced or redefined, on request, and when the log becomes too
 * long. Definitions and fill values go straight through. Reads look into this rank's log where it
 * has what is asked for.
 */
public final class LoggingDriver implements Driver {
  private final Group group;
  private final Driver below;
  private final LogSettings settings;
  private final LogName name;
  private final LogWriter log;
  private final Meter meter;
  private final Scratch batch = new Scratch();
  private Header header;

  /** The number of collective writes so far. */
  private int age;

  private long recordCount;
  private long recordCountBelow;

  private LoggingDriver(
      Group group, Driver below, LogSettings settings, OpenLog log, Header header, Meter meter) {
    this.group = group;
    this.below = below;
    this.settings = settings;
    name = log.name();
    this.log = log.writer();
    this.meter = meter;
    this.header = header;
    recordCount = header.recordCount();
    recordCountBelow = recordCount;
  }

  /**
   * Puts a log in front of another driver.
   *
   * @param log this rank's, which was begun
   */
  public static LoggingDriver over(
      Group group, Driver below, LogSettings settings, OpenLog log, Header header, Meter meter) {
    return new LoggingDriver(group, below, settings, log, header, meter);
  }

  @Override
  public void define(Header newHeader) throws IOException {
    header = newHeader;
    below.define(newHeader);
  }

  @Override
  public boolean put(List<Transfer> puts, boolean collective) throws IOException {
    boolean allFit = true;
    IOException failure = null;
    try {
      for (Transfer put : puts) {
        Variable variable = header.variables().get(put.variable());
        allFit &= Conversion.fits(put.values(), variable.type(), header.format());
        long start = meter.nanos();
        log.append(put, age);
        meter.addSince(Quantity.LOG_WRITE_NANOS, start);
        meter.add(Quantity.LOG_WRITES, 1);
        meter.add(Quantity.LOG_BYTES, put.values().memory().byteSize());
      }
    } catch (IOException e) {
      failure = e;
    }
    if (collective) {
      age++;
      maybeFlush();
    }
    if (failure != null) throw failure;
    return allFit;
  }

  private void maybeFlush() throws IOException {
    if (settings.logBytesMax() == 0) return;
    if (group.allReduce(log.dataBytes(), Reduction.MAX) > settings.logBytesMax()) flush();
  }

  @Override
  public boolean get(List<Transfer> gets, boolean collective) throws IOException {
    if (settings.flushBeforeRead() && collective) {
      flush();
      return below.get(gets, true);
    }
    List<Transfer> fromFile = new ArrayList<>();
    for (Transfer get : gets) {
      if (!LogView.covers(log.entries(), get)) fromFile.add(get);
    }
    boolean allFit = (!collective && fromFile.isEmpty()) || below.get(fromFile, collective);
    LogView view = new LogView(header, ByteOrder.nativeOrder(), log::read);
    for (LogEntry entry : log.entries()) {
      for (Transfer get : gets) allFit &= view.overlay(entry, get);
    }
    return allFit;
  }

  @Override
  public void fill(int variable, long record) throws IOException {
    // What was written before is older than the fill values, and must be so in the file too.
    boolean logged = log.entries().stream().anyMatch(entry -> entry.variable() == variable);
    if (group.allReduce(logged ? 1 : 0, Reduction.MAX) > 0) flush();
    below.fill(variable, record);
  }

  @Override
  public void recordCount(long count) {
    // Readers of the file should not look for records that only the log has.
    recordCount = count;
  }

  @Override
  public void flush() throws IOException {
    bring(false);
  }

  @Override
  public void sync() throws IOException {
    bring(true);
  }

  /**
   * Brings everything to the driver below, and lets the log begin anew if that worked on all ranks.
   *
   * @param force whether onto stable storage
   * @return whether it worked on all ranks; throws on those where it did not
   */
  private boolean bring(boolean force) throws IOException {
    long start = meter.nanos();
    IOException failure = bringInRounds();
    meter.addSince(Quantity.FLUSH_NANOS, start);
    meter.add(Quantity.FLUSHES, 1);
    if (isFineEverywhere(failure)) {
      try {
        if (recordCount != recordCountBelow) below.recordCount(recordCount);
        recordCountBelow = recordCount;
        if (force) below.sync();
        else below.flush();
      } catch (IOException e) {
        failure = e;
      }
      if (isFineEverywhere(failure)) {
        log.reset();
        age = 0;
        return true;
      }
    }
    if (failure != null) throw failure;
    return false;
  }

  private boolean isFineEverywhere(@Nullable IOException failure) {
    return group.allReduce(failure == null ? 0 : 1, Reduction.MAX) == 0;
  }

  private @Nullable IOException bringInRounds() {
    IOException failure = null;
    int next = 0;
    while (true) {
      long highest = group.allReduce(highestAge(next), Reduction.MIN);
      if (highest == Long.MAX_VALUE) return failure;
      int end = next;
      while (end < log.entries().size() && log.entries().get(end).age() <= highest) end++;
      List<Transfer> transfers = List.of();
      try {
        transfers = transfers(log.entries().subList(next, end));
      } catch (IOException e) {
        failure = e;
      }
      try {
        // Also with nothing: the others may have something.
        below.put(transfers, true);
      } catch (IOException e) {
        failure = e;
      }
      meter.add(Quantity.FLUSH_ROUNDS, 1);
      next = end;
    }
  }

  /**
   * The age up to which this rank's writes fit the flush buffer; everybody flushes up to the lowest
   * of these, so that what is written later is never flushed before what is older.
   */
  private long highestAge(int from) {
    List<LogEntry> entries = log.entries();
    if (from == entries.size()) return Long.MAX_VALUE;
    if (settings.flushBufferBytes() == 0) return entries.getLast().age();
    long bytes = 0;
    long fits = entries.get(from).age();
    int i = from;
    while (i < entries.size()) {
      int current = entries.get(i).age();
      for (; i < entries.size() && entries.get(i).age() == current; i++) {
        bytes += entries.get(i).dataBytes();
      }
      if (bytes > settings.flushBufferBytes()) break;
      fits = current;
    }
    return fits;
  }

  private List<Transfer> transfers(List<LogEntry> entries) throws IOException {
    long bytes = 0;
    for (LogEntry entry : entries) bytes += entry.dataBytes();
    MemorySegment memory = batch.take(bytes);
    List<Transfer> transfers = new ArrayList<>();
    if (!entries.isEmpty()) {
      // Entries that follow one another have data that does.
      log.read(memory, entries.getFirst().dataOffset());
    }
    long at = 0;
    for (LogEntry entry : entries) {
      Values values = Values.of(memory.asSlice(at, entry.dataBytes()), entry.type());
      transfers.add(new Transfer(entry.variable(), entry.parts(), values, entry.age()));
      at += entry.dataBytes();
    }
    return transfers;
  }

  @Override
  public void close() throws IOException {
    boolean done = false;
    IOException failure = null;
    try {
      done = bring(false);
    } catch (IOException e) {
      failure = e;
    }
    try {
      below.close();
      batch.close();
      log.close();
    } catch (IOException e) {
      if (failure == null) failure = e;
      else failure.addSuppressed(e);
    }
    // A log whose content is not in the file stays, and nobody deletes one that others still use.
    if (isFineEverywhere(failure) && done && settings.deleteOnClose()) name.delete();
    if (failure != null) throw failure;
  }
}
