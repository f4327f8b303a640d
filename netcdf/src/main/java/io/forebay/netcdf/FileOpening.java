// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import io.forebay.netcdf.agreement.Agreement;
import io.forebay.netcdf.driver.Driver;
import io.forebay.netcdf.driver.Meter;
import io.forebay.netcdf.driver.direct.Access;
import io.forebay.netcdf.driver.direct.DirectDriver;
import io.forebay.netcdf.driver.logging.BackgroundFlush;
import io.forebay.netcdf.driver.logging.FileWatch;
import io.forebay.netcdf.driver.logging.LogName;
import io.forebay.netcdf.driver.logging.LogRecovery;
import io.forebay.netcdf.driver.logging.LogSettings;
import io.forebay.netcdf.driver.logging.LoggingDriver;
import io.forebay.netcdf.driver.logging.OpenLog;
import io.forebay.netcdf.format.ByteSource;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.HeaderReader;
import io.forebay.netcdf.format.HeaderWriter;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.store.FileNames;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.parallel.Group;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates and opens files, with the drivers that their names and settings select. */
final class FileOpening {
  /** Prefix of a file's name: its writes are logged, or are not, regardless of the settings. */
  private static final String LOGGED_PREFIX = "log:";

  private static final String DIRECT_PREFIX = "direct:";

  /** Created on first use: loading it takes a good part of a short program's time. */
  private static final class Log {
    static final Logger LOG = LoggerFactory.getLogger(FileOpening.class);

    private Log() {}
  }

  private final Group group;
  private final Agreement agreement;
  private final String name;
  private Path path = Path.of("");
  private final Hints hints;
  private final NetcdfFiles files;
  private final Meter meter;
  private @Nullable FileWatch watch;

  FileOpening(Group group, String name, Hints hints, NetcdfFiles files) {
    this.files = files;
    meter = new Meter(files.clock());
    this.group = group;
    this.name = name;
    this.hints = hints;
    agreement = new Agreement(group);
  }

  private String plainName() {
    for (String prefix : List.of(LOGGED_PREFIX, DIRECT_PREFIX)) {
      if (name.startsWith(prefix)) return name.substring(prefix.length());
    }
    return name;
  }

  private boolean isLogged() throws NetcdfException {
    if (name.startsWith(LOGGED_PREFIX)) return true;
    return !name.startsWith(DIRECT_PREFIX) && hints.logging();
  }

  NetcdfFile create(Format format, CreateMode mode) throws IOException {
    requireSameName();
    // The first rank creates, and only then do the others open.
    SharedFile file = null;
    IOException failure = null;
    OpenOption[] first =
        mode == CreateMode.NEW
            ? options(StandardOpenOption.CREATE_NEW)
            : options(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
    try {
      if (group.rank() == 0) {
        if (isLogged()) discardLogs(mode);
        else warnOfLogs();
        file = openFile(first);
      }
    } catch (IOException e) {
      failure = e;
    }
    agreement.reach(failure);
    onOtherNodes(() -> discardLogs(mode));
    return opened(file, OpenMode.WRITE, Header.empty(format), true);
  }

  private interface Step {
    void run() throws IOException;
  }

  /**
   * Runs a step for logs on the first rank of each node except the first node, where it was done
   * before: each node may have its own directory of logs. If all nodes share one directory, the
   * step finds nothing to do.
   */
  private void onOtherNodes(Step step) throws IOException {
    if (!isLogged() || isOneNode()) return;
    int first = 0;
    while (group.node(first) != group.node(group.rank())) first++;
    IOException failure = null;
    try {
      if (first == group.rank() && first > 0) step.run();
    } catch (IOException e) {
      failure = e;
    }
    agreement.reach(failure);
  }

  private boolean isOneNode() {
    for (int rank = 1; rank < group.size(); rank++) {
      if (group.node(rank) != group.node(0)) return false;
    }
    return true;
  }

  /**
   * Logs that only this node sees: replaying them alone would overwrite later writes of other
   * nodes.
   */
  private void requireNoLogs() throws IOException {
    for (LogName log : LogName.find(hints.log(path).directory(), path)) {
      throw new NetcdfException(
          NetcdfError.LOG,
          "%s on this node has writes to %s that never reached it; recover it here first"
              .formatted(log.entries(), path));
    }
  }

  /** Existing logs belong to a file that is replaced, or that was deleted. */
  private void discardLogs(CreateMode mode) throws IOException {
    Path directory = hints.log(path).directory();
    List<LogName> left = LogName.find(directory, path);
    if (mode == CreateMode.NEW && !left.isEmpty() && !hints.overwriteLog()) {
      throw new NetcdfException(
          NetcdfError.LOG,
          "%s has writes to %s that never reached it; burst_buffer_overwrite=enable discards them"
              .formatted(left.getFirst().entries(), path));
    }
    LogName.discardAll(directory, path);
  }

  /** Warns: logged writes that never reached the file no longer match it once it is changed. */
  private void warnOfLogs() throws IOException {
    Path directory = hints.log(path).directory();
    if (!LogName.exist(directory, path)) return;
    Log.LOG.warn(
        "{} is opened for writing without its logs, but {} has logs with writes to it that may not"
            + " be in the file; 'forebay netcdf recover {}' brings them there before it is changed,"
            + " and refuses afterwards",
        path,
        directory,
        path);
  }

  private static OpenOption[] options(OpenOption... more) {
    OpenOption[] all = new OpenOption[more.length + 2];
    all[0] = StandardOpenOption.READ;
    all[1] = StandardOpenOption.WRITE;
    System.arraycopy(more, 0, all, 2, more.length);
    return all;
  }

  NetcdfFile open(OpenMode mode) throws IOException {
    requireSameName();
    byte[] bytes = new byte[0];
    IOException failure = null;
    if (group.rank() == 0) {
      try {
        if (mode == OpenMode.WRITE) {
          if (isLogged()) recoverLogs();
          else warnOfLogs();
        }
        bytes = readHeader();
      } catch (IOException e) {
        failure = e;
      }
    }
    agreement.reach(failure);
    if (mode == OpenMode.WRITE) onOtherNodes(this::requireNoLogs);
    Header header = HeaderReader.read(ByteSource.of(group.broadcast(bytes, 0)));
    return opened(null, mode, header, false);
  }

  private void recoverLogs() throws IOException {
    Path directory = hints.log(path).directory();
    try {
      LogRecovery.recover(path, directory, false);
    } catch (NetcdfException e) {
      if (e.error() != NetcdfError.LOG || !hints.overwriteLog()) throw e;
      Log.LOG.warn(
          "logs in {} are discarded, as burst_buffer_overwrite says: {}",
          directory,
          e.getMessage());
      LogName.discardAll(directory, path);
    }
  }

  private byte[] readHeader() throws IOException {
    try (SharedFile file = openFile(StandardOpenOption.READ)) {
      return HeaderWriter.write(HeaderReader.read(file.asSource()));
    }
  }

  /** Each rank opens the file; if one fails, all fail. */
  private NetcdfFile opened(@Nullable SharedFile own, OpenMode mode, Header header, boolean isNew)
      throws IOException {
    boolean writable = mode == OpenMode.WRITE;
    SharedFile file = own;
    DirectDriver direct = null;
    IOException failure = null;
    try {
      if (file == null) file = writable ? openFile(options()) : openFile(StandardOpenOption.READ);
      file = watched(file, writable);
      Access access = writable ? Access.WRITE : Access.READ;
      direct = new DirectDriver(group, file, header, hints.direct(), access, meter);
    } catch (IOException e) {
      failure = e;
    }
    Driver driver;
    try {
      agreement.reach(failure);
      if (direct == null) throw new IllegalStateException("nothing was opened");
      // Logs are begun together, so only when all ranks have got here.
      driver = writable ? inFront(file, direct, header) : direct;
    } catch (IOException e) {
      if (file != null) file.close();
      throw e;
    }
    NetcdfFile.Opened opened = new NetcdfFile.Opened(group, driver, meter, header);
    return new NetcdfFile(opened, hints.headerAlignmentBytes(), writable, isNew);
  }

  /** Writes to a file that has a log are noted there. */
  private SharedFile watched(SharedFile file, boolean writable) throws NetcdfException {
    if (!writable || !isLogged()) return file;
    if (watch == null) watch = new FileWatch(path, files.clock());
    return watch.over(file);
  }

  private Driver inFront(@Nullable SharedFile file, Driver direct, Header header)
      throws IOException {
    if (isLogged() && watch != null) return logged(direct, header, watch);
    if (file == null) throw new IllegalStateException("nothing was opened");
    Driver top = direct;
    IOException failure = null;
    try {
      top = files.stack().over(file, direct, header, meter);
    } catch (IOException e) {
      failure = e;
    }
    agreement.reach(failure);
    return top;
  }

  private Driver logged(Driver driver, Header header, FileWatch watched) throws IOException {
    LogSettings settings = hints.log(path);
    OpenLog log = null;
    IOException failure = null;
    long start = meter.nanos();
    try {
      log = OpenLog.begin(group, settings, path, meter);
    } catch (IOException e) {
      failure = e;
    }
    meter.addSince(Meter.Quantity.LOG_CREATE_NANOS, start);
    try {
      agreement.reach(failure);
      if (log == null) throw new IllegalStateException("no log was begun");
      BackgroundFlush background = settings.background() ? background(header) : null;
      LoggingDriver logging = new LoggingDriver(driver, log, watched, background, header);
      try {
        logging.begin();
      } catch (IOException e) {
        failure = e;
      }
      agreement.reach(failure);
      return logging;
    } catch (IOException e) {
      if (log != null) log.abandon();
      throw e;
    }
  }

  private BackgroundFlush background(Header header) throws IOException {
    Group second = group.split(0);
    BackgroundFlush background = null;
    IOException failure = null;
    try {
      SharedFile file = watched(openFile(options()), true);
      DirectDriver driver =
          new DirectDriver(second, file, header, hints.direct(), Access.WRITE, meter);
      background = new BackgroundFlush(second, driver, files.background(), meter);
    } catch (IOException e) {
      failure = e;
    }
    agreement.reach(failure);
    if (background == null) throw new IllegalStateException("nothing was opened");
    return background;
  }

  private SharedFile openFile(OpenOption... options) throws IOException {
    try {
      return files.storage().open(path, options);
    } catch (FileAlreadyExistsException e) {
      throw new NetcdfException(NetcdfError.EXISTS, name + " exists already", e);
    }
  }

  /** Ranks with different names or settings would wait for each other forever. */
  private void requireSameName() throws NetcdfException {
    NetcdfException failure = null;
    try {
      path = FileNames.parse(plainName());
      hints.check(path);
      if (isLogged() && hints.log(path).background() && !group.allowsThreads()) {
        throw new NetcdfException(
            NetcdfError.BAD_HINT,
            "burst_buffer_background_flush needs an MPI library that several threads may call");
      }
    } catch (NetcdfException e) {
      failure = e;
    }
    CRC32C checksum = new CRC32C();
    checksum.update((name + "\n" + hints).getBytes(StandardCharsets.UTF_8));
    long mine = checksum.getValue();
    long[] highest = agreement.reach(failure, mine, -mine);
    if (highest[0] != -highest[1]) {
      throw new NetcdfException(
          NetcdfError.RANKS_DIFFER, "ranks give different names or settings: " + name);
    }
  }
}
