// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging;

import io.forebay.netcdf.driver.Meter;
import io.forebay.netcdf.driver.logging.layout.BlockFile;
import io.forebay.netcdf.driver.logging.layout.LogHeader;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.store.Claims;
import io.forebay.netcdf.store.FileNames;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.netcdf.store.Storage;
import io.forebay.parallel.Group;
import io.forebay.parallel.Reduction;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** A started, empty log of a rank. */
public final class OpenLog {
  private static final int PARTS_IN_BACKGROUND = 2;

  private final Group group;
  private final LogSettings settings;
  private final Meter meter;
  private final List<LogName> names;
  private final RankLog log;

  private OpenLog(
      Group group, LogSettings settings, Meter meter, List<LogName> names, RankLog log) {
    this.group = group;
    this.settings = settings;
    this.meter = meter;
    this.names = names;
    this.log = log;
  }

  /** Begins a log for a file on every rank; collective. */
  public static OpenLog begin(Group group, LogSettings settings, Path file, Meter meter)
      throws IOException {
    int number = settings.sharedByNode() ? group.node(group.rank()) : group.rank();
    List<LogName> names = new ArrayList<>();
    for (int part = 0; part < (settings.background() ? PARTS_IN_BACKGROUND : 1); part++) {
      names.add(LogName.of(settings, file, number, part));
    }
    // All logs of this run have the same number.
    long run = group.allReduce(ThreadLocalRandom.current().nextLong(), Reduction.MAX);
    if (!settings.sharedByNode()) {
      RankLog log = open(group, new Sharers(0, 1, () -> {}), settings, file, names, run);
      return new OpenLog(group, settings, meter, names, log);
    }
    try (Group node = group.splitByNode()) {
      Sharers sharers = new Sharers(node.rank(), node.size(), node::barrier);
      RankLog log = open(group, sharers, settings, file, names, run);
      return new OpenLog(group, settings, meter, names, log);
    }
  }

  /**
   * The ranks that write into one log.
   *
   * @param rank this one's number among them
   * @param barrier returns when all of them have called it
   */
  private record Sharers(int rank, int size, Runnable barrier) {}

  private static RankLog open(
      Group group, Sharers sharers, LogSettings settings, Path file, List<LogName> names, long run)
      throws IOException {
    List<SharedFile> opened = new ArrayList<>();
    try {
      IOException failure = null;
      try {
        if (sharers.rank() == 0) make(settings, names, opened);
      } catch (IOException e) {
        failure = e;
      }
      sharers.barrier().run();
      if (failure != null) throw failure;
      LogHeader header =
          new LogHeader(
              0,
              run,
              ByteOrder.nativeOrder(),
              group.rank(),
              group.size(),
              sharers.rank(),
              sharers.size(),
              FileNames.absolute(file));
      List<LogWriter> parts = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        if (sharers.rank() > 0) opened.add(openMade(names.get(i).entries()));
        claim(names.get(i), opened.get(i), sharers.rank());
        BlockFile entries = new BlockFile(opened.get(i), sharers.rank(), sharers.size());
        SharedFile data = openMade(names.get(i).data());
        BlockFile dataBlocks = new BlockFile(data, sharers.rank(), sharers.size());
        parts.add(new LogWriter(entries, dataBlocks, header, settings.heldBytesMax()));
      }
      return new RankLog(parts);
    } catch (IOException e) {
      for (SharedFile each : opened) each.close();
      throw e;
    }
  }

  /**
   * Recreates the files; old entries must not be found behind new ones. The handles of the entries
   * stay open, so that the log is in use from now on.
   */
  private static void make(LogSettings settings, List<LogName> names, List<SharedFile> opened)
      throws IOException {
    Files.createDirectories(settings.directory());
    for (LogName name : names) {
      requireUnused(name);
      try {
        opened.add(Claims.of(name.entries()).make(name.entries()));
      } catch (FileAlreadyExistsException e) {
        throw inUse(name);
      }
      Files.deleteIfExists(name.data());
      Storage.standard()
          .open(name.data(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)
          .close();
    }
  }

  private static SharedFile openMade(Path path) throws IOException {
    return Storage.standard().open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static void claim(LogName name, SharedFile entries, int place) throws IOException {
    if (!Claims.of(name.entries()).claim(entries, place * BlockFile.BLOCK_BYTES)) {
      throw inUse(name);
    }
  }

  static void requireUnused(LogName name) throws IOException {
    if (isUsed(name)) throw inUse(name);
  }

  static boolean isUsed(LogName name) throws IOException {
    return Claims.of(name.entries()).isUsed(name.entries(), BlockFile.BLOCK_BYTES);
  }

  private static NetcdfException inUse(LogName name) {
    return new NetcdfException(
        NetcdfError.LOG,
        name.entries()
            + " is in use by a program that runs, or that was killed less than a minute ago");
  }

  Group group() {
    return group;
  }

  LogSettings settings() {
    return settings;
  }

  Meter meter() {
    return meter;
  }

  RankLog log() {
    return log;
  }

  /** Discards a log without writes. */
  public void abandon() throws IOException {
    log.close();
    delete();
  }

  /** Removes the files; ranks that share them do it too. */
  void delete() throws IOException {
    for (LogName name : names) name.delete();
  }
}
