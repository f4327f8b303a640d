// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging;

import io.forebay.netcdf.data.Conversion;
import io.forebay.netcdf.driver.Driver;
import io.forebay.netcdf.driver.Meter;
import io.forebay.netcdf.driver.Meter.Quantity;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.driver.logging.layout.FileMark;
import io.forebay.netcdf.driver.logging.layout.LogEntry;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Variable;
import io.forebay.netcdf.store.FileStamp;
import io.forebay.parallel.Group;
import io.forebay.parallel.Reduction;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Appends writes to a log on fast storage, and flushes them to the driver below later, many at a
 * time: when the file is closed, synced or redefined, on request, when the log becomes too long,
 * and in the background if enabled. Definitions and fill values pass through directly. Reads use
 * this rank's log where it has the requested elements.
 */
public final class LoggingDriver implements Driver {
  private final Group group;
  private final Driver below;
  private final LogSettings settings;
  private final OpenLog files;
  private final RankLog log;
  private final FileWatch watch;
  private final @Nullable BackgroundFlush background;
  private final LogFlush flush;
  private final Meter meter;
  private Header header;

  /**
   * Twice the number of collective writes since the log was empty; plus one during a collective
   * write.
   */
  private int age;

  private long recordCount;

  /**
   * The number of records last passed to the driver below; a background flush may have stored more.
   */
  private long recordCountBelow;

  private long recordCountInFile;

  /**
   * Puts a log in front of another driver.
   *
   * @param files this rank's log files, which exist
   * @param watch notes in the log what the file looks like
   * @param background flushes the log while the program runs; null for none
   */
  public LoggingDriver(
      Driver below,
      OpenLog files,
      FileWatch watch,
      @Nullable BackgroundFlush background,
      Header header) {
    group = files.group();
    settings = files.settings();
    log = files.log();
    meter = files.meter();
    this.below = below;
    this.files = files;
    this.watch = watch;
    this.background = background;
    this.header = header;
    flush = new LogFlush(group, below, settings.flushBufferBytes(), meter);
    recordCount = header.recordCount();
    recordCountBelow = recordCount;
    recordCountInFile = recordCount;
    watch.keepIn(log::mark);
  }

  /** Notes which file the log belongs to; collective. */
  public void begin() throws IOException {
    noteSteady();
  }

  @Override
  public void define(Header newHeader) throws IOException {
    header = newHeader;
    if (background != null) background.define(newHeader);
    // Logs are empty when definitions are made: no entry refers to the earlier definitions.
    IOException failure = null;
    try {
      below.define(newHeader);
    } catch (IOException e) {
      failure = e;
    }
    noteSteady(failure);
  }

  /** Something that all ranks do to the file together. */
  private interface Change {
    void run() throws IOException;
  }

  /** Changes the file on all ranks, or on none if one of them could not note that in its log. */
  private void change(Change change) throws IOException {
    if (!noteChanging()) return;
    IOException failure = null;
    try {
      change.run();
    } catch (IOException e) {
      failure = e;
    }
    noteSteady(failure);
  }

  private void noteSteady() throws IOException {
    noteSteady(null);
  }

  /**
   * Records the file's state after all ranks have changed it, unless changes continue, or failed on
   * one rank.
   *
   * @param failed the failure on this rank, which is thrown
   */
  private void noteSteady(@Nullable IOException failed) throws IOException {
    if (log.parts().size() > 1) {
      if (failed != null) throw failed;
      return;
    }
    FileStamp agreed =
        latest(
            () -> {
              if (failed != null) throw failed;
              return watch.look();
            });
    if (agreed != null) watch.steady(agreed, FileMark.definitions(header));
  }

  /** Reads the stamp of the file. */
  private interface Look {
    FileStamp take() throws IOException;
  }

  /** The latest stamp that any rank sees; null if another rank could not read it. */
  private @Nullable FileStamp latest(Look look) throws IOException {
    FileStamp seen = new FileStamp(0, 0, 0);
    IOException failure = null;
    try {
      seen = look.take();
    } catch (IOException e) {
      failure = e;
    }
    // A rank may not know yet about another rank's writes.
    long[] latest = {failure == null ? 0 : 1, seen.sizeBytes(), seen.modifiedNanos()};
    latest = group.allReduce(latest, Reduction.MAX);
    if (failure != null) throw failure;
    return latest[0] > 0 ? null : new FileStamp(seen.number(), latest[1], latest[2]);
  }

  @Override
  public boolean put(List<Transfer> puts, boolean collective) throws IOException {
    boolean allFit = true;
    IOException failure = null;
    if (collective) age++;
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
      if (background != null) maybeHandOver(background);
      else maybeFlush();
    }
    if (failure != null) throw failure;
    return allFit;
  }

  @Override
  public boolean agreesOnPuts() {
    return settings.agreesOnPuts();
  }

  private void maybeFlush() throws IOException {
    if (settings.logBytesMax() == 0) return;
    if (group.allReduce(log.dataBytes(), Reduction.MAX) > settings.logBytesMax()) flush();
  }

  /**
   * Starts a background flush if the log is long enough and no flush is running. If the log is too
   * long, waits for the running one. All ranks decide here by shared knowledge only.
   */
  private void maybeHandOver(BackgroundFlush flusher) throws IOException {
    long[] heard =
        group.allReduce(
            new long[] {
              log.dataBytes(), flusher.isRunning() ? 1 : 0, flusher.isOver() ? 1 : 0,
            },
            Reduction.MAX);
    boolean running = heard[1] > 0;
    boolean begun = running || heard[2] > 0;
    boolean full = heard[0] >= settings.partBytesMax();
    if (begun && (full || !running)) {
      BackgroundFlush.Outcome outcome = settle(flusher);
      if (outcome != null && !outcome.isInFile()) {
        // Reported once; flush, sync and close retry what was not flushed.
        if (outcome.failure() != null) throw outcome.failure();
        return;
      }
      running = false;
      if (heard[0] < settings.backgroundBytesMin()) noteSteady();
    }
    if (running || heard[0] < settings.backgroundBytesMin()) return;
    if (log.parts().size() > 1) {
      // The previous part was not flushed; the next part must come after it.
      flush();
      return;
    }
    if (!noteChanging()) return;
    LogWriter handedOver = log.handOver();
    flusher.start(
        handedOver, header.withRecordCount(recordCountInFile), settings.flushBufferBytes());
  }

  /** Notes that the file changes from now on; false if another rank could not. */
  private boolean noteChanging() throws IOException {
    IOException failure = null;
    boolean fine = false;
    try {
      fine = noteChangingHere();
    } catch (IOException e) {
      failure = e;
    }
    fine = isFineEverywhere(failure) && fine;
    if (failure != null) throw failure;
    return fine;
  }

  /** The same without an exchange: the caller must find out whether the other ranks noted it. */
  private boolean noteChangingHere() throws IOException {
    IOException failure = null;
    try {
      watch.changing();
    } catch (IOException e) {
      failure = e;
    }
    boolean fine = isFineEverywhere(failure);
    if (failure != null) throw failure;
    FileStamp begun = fine ? latest(group.rank() == 0 ? watch::touch : watch::look) : null;
    if (begun == null) return false;
    watch.changing(begun);
    return true;
  }

  /** Waits for a running background flush; returns its result, or null if none was running. */
  private BackgroundFlush.@Nullable Outcome settle(@Nullable BackgroundFlush flusher) {
    BackgroundFlush.Outcome outcome = flusher == null ? null : flusher.await();
    if (outcome != null && outcome.isInFile()) {
      log.olderIsInFile();
      recordCountInFile = Math.max(recordCountInFile, outcome.records());
    }
    return outcome;
  }

  @Override
  public boolean get(List<Transfer> gets, boolean collective) throws IOException {
    if (settings.flushBeforeRead() && collective) {
      flush();
      return below.get(gets, true);
    }
    List<LogWriter> parts = log.parts();
    List<Transfer> fromFile = new ArrayList<>();
    for (Transfer get : gets) {
      if (parts.stream().noneMatch(part -> LogView.covers(part.entries(), get))) fromFile.add(get);
    }
    boolean allFit = (!collective && fromFile.isEmpty()) || below.get(fromFile, collective);
    for (LogWriter part : parts) {
      LogView view = new LogView(header, ByteOrder.nativeOrder(), part::read);
      for (LogEntry entry : part.entries()) {
        for (Transfer get : gets) allFit &= view.overlay(entry, get);
      }
    }
    return allFit;
  }

  @Override
  public void fill(int variable, long record, long count) throws IOException {
    // Earlier writes are older than the fill values, so they go to the file first.
    boolean logged = log.hasWritesOf(variable);
    if (group.allReduce(logged ? 1 : 0, Reduction.MAX) > 0) flush();
    change(() -> below.fill(variable, record, count));
  }

  @Override
  public void recordCount(long count) {
    // Readers of the file should not look for records that only the log has.
    recordCount = count;
  }

  @Override
  public void flush() throws IOException {
    bring(false, false);
  }

  @Override
  public void sync() throws IOException {
    bring(true, false);
  }

  /**
   * Flushes everything to the driver below, and restarts the log if that succeeded on all ranks. A
   * failed background flush is retried.
   *
   * @param force whether to force the file to stable storage
   * @param logGoes whether the log is deleted next, so that it needs no new mark
   * @return whether it succeeded on all ranks; throws on ranks where it failed
   */
  private boolean bring(boolean force, boolean logGoes) throws IOException {
    BackgroundFlush.Outcome before = settle(background);
    boolean noted = false;
    IOException failure = null;
    try {
      noted = noteChangingHere();
    } catch (IOException e) {
      failure = e;
    }
    LogFlush.Outcome outcome = flush.run(log.parts(), noted);
    if (outcome.failure() != null) failure = outcome.failure();
    // All ranks sync or flush the driver below, or none does.
    boolean records = recordCount != recordCountBelow;
    boolean fine = outcome.begun() && (!(force || records) || isFineEverywhere(failure));
    if (fine) {
      try {
        if (records) below.recordCount(recordCount);
        recordCountBelow = recordCount;
        recordCountInFile = recordCount;
        if (force) below.sync();
        else below.flush();
      } catch (IOException e) {
        if (failure == null) failure = e;
        else failure.addSuppressed(e);
      }
      fine = isFineEverywhere(failure);
    }
    if (fine) {
      // All ranks or none, so that generations stay in step.
      if (outcome.anything()) log.begin();
      age = 0;
      if (!logGoes) noteSteady();
      return true;
    }
    if (failure == null) return false;
    if (before != null && before.failure() != null) failure.addSuppressed(before.failure());
    throw failure;
  }

  private boolean isFineEverywhere(@Nullable IOException failure) {
    return group.allReduce(failure == null ? 0 : 1, Reduction.MAX) == 0;
  }

  @Override
  public void close() throws IOException {
    boolean done = false;
    IOException failure = null;
    try {
      done = bring(false, settings.deleteOnClose());
    } catch (IOException e) {
      failure = e;
    }
    List<Closing> all = new ArrayList<>(List.of(below::close, flush::close, log::close));
    if (background != null) all.addFirst(background::close);
    for (Closing each : all) failure = closed(each, failure);
    // A log whose content is not in the file stays, and a log that other ranks still use is not
    // deleted.
    if (isFineEverywhere(failure) && done && settings.deleteOnClose()) files.delete();
    if (failure != null) throw failure;
  }

  private interface Closing {
    void close() throws IOException;
  }

  private static @Nullable IOException closed(Closing resource, @Nullable IOException before) {
    try {
      resource.close();
    } catch (IOException e) {
      if (before == null) return e;
      before.addSuppressed(e);
    }
    return before;
  }
}
