package io.forebay.netcdf.driver.logging;

import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.driver.direct.Access;
import io.forebay.netcdf.driver.direct.DirectDriver;
import io.forebay.netcdf.driver.direct.DirectSettings;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.HeaderReader;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.netcdf.store.Storage;
import io.forebay.parallel.Ranks;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks on while another program writes a file through logs: reads variables as they are in the
 * file with the logs of all ranks on top, without the writer noticing. It sees what was there when
 * it was opened; a log that begins anew while it is read is an error, after which a new reader sees
 * the file. One thread at a time.
 */
public final class LogReader implements AutoCloseable {
  private final DirectDriver file;
  private final Header header;
  private final List<LogContent> logs;
  private final List<LoggedWrite> writes;

  private LogReader(DirectDriver file, Header header, List<LogContent> logs) {
    this.file = file;
    this.header = header;
    this.logs = logs;
    writes = LoggedWrite.inOrder(logs);
  }

  /** Opens a file and the logs of it that a directory has. */
  public static LogReader open(Path path, Path directory) throws IOException {
    List<LogContent> logs = new ArrayList<>();
    for (LogName name : LogName.find(directory, path)) logs.addAll(LogContent.read(name));
    SharedFile file = Storage.standard().open(path, StandardOpenOption.READ);
    Header header = HeaderReader.read(file.asSource());
    new LogMatch(path, header, logs).requireSameFile();
    long records = header.recordCount();
    for (LogContent log : logs) {
      for (LogEntry entry : log.entries()) {
        if (entry.variable() >= header.variables().size()) {
          throw new NetcdfException(NetcdfError.LOG, log.name().entries() + " is not of this file");
        }
        records = Math.max(records, LogRecovery.records(entry, header));
      }
    }
    Header known = header.withRecordCount(records);
    DirectDriver driver =
        new DirectDriver(Ranks.alone(), file, known, DirectSettings.DEFAULT, Access.READ);
    return new LogReader(driver, known, logs);
  }

  /** What is defined, with the records that the logs know of. */
  public Header header() {
    return header;
  }

  /** The logs that were found. */
  public List<LogContent> logs() {
    return List.copyOf(logs);
  }

  /** Reads a part of a variable, which must lie inside of it. */
  public void get(String variable, Subarray part, Values values) throws IOException {
    int number = header.variableNamed(variable);
    if (number < 0) {
      throw new NetcdfException(NetcdfError.NOT_FOUND, "no variable '" + variable + "'");
    }
    Transfer get = Transfer.now(number, List.of(part), values);
    file.get(List.of(get), false);
    for (LoggedWrite write : writes) {
      LogView view = new LogView(header, write.log().header().order(), write.log()::read);
      view.overlay(write.entry(), get);
    }
    for (LogContent log : logs) log.requireSameGeneration();
  }

  @Override
  public void close() throws IOException {
    try (file) {
      for (LogContent log : logs) log.close();
    }
  }
}
