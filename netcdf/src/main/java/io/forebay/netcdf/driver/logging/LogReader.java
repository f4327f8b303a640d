// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging;

import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.driver.direct.Access;
import io.forebay.netcdf.driver.direct.DirectDriver;
import io.forebay.netcdf.driver.direct.DirectSettings;
import io.forebay.netcdf.driver.logging.layout.LogEntry;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.HeaderReader;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.netcdf.store.Storage;
import io.forebay.parallel.Ranks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a file while another program writes it through logs: reads variables from the file and the
 * logs of all ranks, without disturbing the writer. If the writer flushes a log and starts it anew
 * during the read, the log is read again with the file. One thread at a time.
 */
public final class LogReader implements AutoCloseable {
  /** How often a read is retried while the writer flushes its logs. */
  private static final int TRIES_MAX = 1000;

  private final Path path;
  private final Path directory;
  private Snapshot snapshot;

  private LogReader(Path path, Path directory, Snapshot snapshot) {
    this.path = path;
    this.directory = directory;
    this.snapshot = snapshot;
  }

  /** The file and its logs at one moment. */
  private record Snapshot(
      DirectDriver file, Header header, List<LogContent> logs, List<LoggedWrite> writes) {
    void close() throws IOException {
      try (file) {
        for (LogContent log : logs) log.close();
      }
    }
  }

  /** Opens a file and the logs of it that a directory has. */
  public static LogReader open(Path path, Path directory) throws IOException {
    return new LogReader(path, directory, current(path, directory));
  }

  private static Snapshot current(Path path, Path directory) throws IOException {
    for (int i = 0; ; i++) {
      List<LogContent> logs = new ArrayList<>();
      try {
        for (LogName name : LogName.find(directory, path)) logs.addAll(LogContent.read(name));
        return snapshot(path, logs);
      } catch (IOException e) {
        boolean again = i < TRIES_MAX && Files.exists(path) && hasChanged(logs, e);
        for (LogContent log : logs) log.close();
        if (!again) throw e;
      }
    }
  }

  /** Whether a failure may come from logs that were flushed or deleted during the read. */
  private static boolean hasChanged(List<LogContent> logs, IOException failure) throws IOException {
    if (failure instanceof NoSuchFileException) return true;
    try {
      for (LogContent log : logs) log.requireSameGeneration();
      return false;
    } catch (LogContent.BegunAnew | NoSuchFileException e) {
      failure.addSuppressed(e);
      return true;
    }
  }

  private static Snapshot snapshot(Path path, List<LogContent> logs) throws IOException {
    SharedFile file = Storage.standard().open(path, StandardOpenOption.READ);
    try {
      Header header = HeaderReader.read(file.asSource());
      new LogMatch(path, header, logs).requireSameFile();
      long records = header.recordCount();
      for (LogContent log : logs) {
        for (LogEntry entry : log.entries()) {
          if (entry.variable() >= header.variables().size()) {
            throw new NetcdfException(
                NetcdfError.LOG, log.name().entries() + " is not of this file");
          }
          records = Math.max(records, LogRecovery.records(entry, header));
        }
      }
      Header known = header.withRecordCount(records);
      DirectDriver driver =
          new DirectDriver(Ranks.alone(), file, known, DirectSettings.DEFAULT, Access.READ);
      return new Snapshot(driver, known, List.copyOf(logs), LoggedWrite.inOrder(logs));
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  /** The definitions, with the records that the logs know. */
  public Header header() {
    return snapshot.header;
  }

  /** The logs that were found. */
  public List<LogContent> logs() {
    return snapshot.logs;
  }

  /** Reads a part of a variable, which must lie inside of it. */
  public void get(String variable, Subarray part, Values values) throws IOException {
    for (int i = 0; ; i++) {
      try {
        get(snapshot, variable, part, values);
        return;
      } catch (LogContent.BegunAnew | NoSuchFileException e) {
        if (i == TRIES_MAX) throw e;
        snapshot.close();
        snapshot = current(path, directory);
      }
    }
  }

  private static void get(Snapshot now, String variable, Subarray part, Values values)
      throws IOException {
    int number = now.header.variableNamed(variable);
    if (number < 0) {
      throw new NetcdfException(NetcdfError.NOT_FOUND, "no variable '" + variable + "'");
    }
    Transfer get = Transfer.now(number, List.of(part), values);
    now.file.get(List.of(get), false);
    for (LoggedWrite write : now.writes) {
      LogView view = new LogView(now.header, write.log().header().order(), write.log()::read);
      view.overlay(write.entry(), get);
    }
    for (LogContent log : now.logs) log.requireSameGeneration();
  }

  @Override
  public void close() throws IOException {
    snapshot.close();
  }
}
