// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging;

import io.forebay.netcdf.driver.Meter;
import io.forebay.netcdf.driver.Meter.Quantity;
import io.forebay.netcdf.driver.direct.DirectDriver;
import io.forebay.netcdf.driver.logging.layout.LogEntry;
import io.forebay.netcdf.format.Header;
import io.forebay.parallel.Group;
import io.forebay.parallel.Reduction;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Flushes a log's older part to the file in the background, together with the same part of all
 * other ranks: so all of them begin at the same collective call. It has its own group and file
 * handle, since the rank keeps using its own. Called by the rank's thread.
 */
public final class BackgroundFlush implements AutoCloseable {
  /**
   * The result.
   *
   * @param failure the failure on this rank, if any
   * @param isInFile whether all ranks have flushed their part
   * @param records the minimum number of records afterwards
   */
  record Outcome(@Nullable IOException failure, boolean isInFile, long records) {}

  private final Group group;
  private final DirectDriver driver;
  private final Executor executor;
  private final Meter meter;
  private @Nullable CompletableFuture<Outcome> running;

  /**
   * Flushes nothing yet.
   *
   * @param group the ranks, for this alone
   * @param driver on that group, with a handle of its own
   * @param executor runs one task at a time, and none that outlives the task
   */
  public BackgroundFlush(Group group, DirectDriver driver, Executor executor, Meter meter) {
    this.group = group;
    this.driver = driver;
    this.executor = executor;
    this.meter = meter;
  }

  /** The file has other definitions now. */
  void define(Header header) {
    driver.adopt(header);
  }

  /** Begins; collective. */
  void start(LogWriter log, Header header, long bufferBytes) {
    running =
        CompletableFuture.supplyAsync(
            () -> {
              long start = meter.nanos();
              Outcome outcome = run(log, header, bufferBytes);
              meter.addSince(Quantity.BACKGROUND_NANOS, start);
              return outcome;
            },
            executor);
  }

  private Outcome run(LogWriter log, Header header, long bufferBytes) {
    IOException failure;
    long records = 0;
    for (LogEntry entry : log.entries()) {
      records = Math.max(records, LogRecovery.records(entry, header));
    }
    try (LogFlush flush = new LogFlush(group, driver, bufferBytes, meter)) {
      failure = flush.run(List.of(log), true).failure();
    }
    long[] heard = group.allReduce(new long[] {failure == null ? 0 : 1, records}, Reduction.MAX);
    if (heard[0] == 0 && heard[1] > header.recordCount()) {
      try {
        driver.recordCount(heard[1]);
      } catch (IOException e) {
        failure = e;
      }
    }
    boolean inFile = group.allReduce(failure == null ? 0 : 1, Reduction.MAX) == 0;
    return new Outcome(failure, inFile, heard[1]);
  }

  /** Whether it has begun and not ended. */
  boolean isRunning() {
    return running != null && !running.isDone();
  }

  /** Whether it has ended, and its result was not taken yet. */
  boolean isOver() {
    return running != null && running.isDone();
  }

  /** Waits for its end and returns its result; null if it was not running. */
  @Nullable Outcome await() {
    CompletableFuture<Outcome> begun = running;
    running = null;
    if (begun == null) return null;
    try {
      return begun.join();
    } catch (CompletionException e) {
      // Such as the failure of another rank.
      if (e.getCause() instanceof RuntimeException cause) throw cause;
      if (e.getCause() instanceof Error cause) throw cause;
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    try (group) {
      driver.close();
    }
  }
}
