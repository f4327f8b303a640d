package io.forebay.netcdf.driver.logging;

import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.parallel.Group;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A rank's log that was begun and is empty. */
public final class OpenLog {
  private final LogName name;
  private final LogWriter writer;

  private OpenLog(LogName name, LogWriter writer) {
    this.name = name;
    this.writer = writer;
  }

  /** Begins a log for a file on every rank; collective. */
  public static OpenLog begin(Group group, LogSettings settings, Path file) throws IOException {
    try (Group sharers =
        settings.sharedByNode() ? group.splitByNode() : group.split(group.rank())) {
      int number = settings.sharedByNode() ? group.node(group.rank()) : group.rank();
      LogName name = LogName.of(settings.directory(), file, settings.sharedByNode(), number);
      IOException failure = sharers.rank() == 0 ? empty(settings, name) : null;
      sharers.barrier();
      if (failure != null) throw failure;
      LogHeader header =
          new LogHeader(
              1,
              ByteOrder.nativeOrder(),
              group.rank(),
              group.size(),
              sharers.rank(),
              sharers.size(),
              file.toAbsolutePath().normalize().toString());
      return new OpenLog(name, LogWriter.open(name, header));
    }
  }

  /**
   * Removes what an earlier log left; entries of another time must not be found behind new ones.
   */
  private static @Nullable IOException empty(LogSettings settings, LogName name) {
    try {
      Files.createDirectories(settings.directory());
      requireUnused(name);
      name.delete();
      Files.createFile(name.entries());
      Files.createFile(name.data());
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  static void requireUnused(LogName name) throws IOException {
    if (!Files.exists(name.entries())) return;
    long places = Math.ceilDiv(Math.max(1, Files.size(name.entries())), BlockFile.BLOCK_BYTES);
    for (int place = 0; place < places; place++) {
      try (BlockFile file =
          BlockFile.open(
              name.entries(), place, 1, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        if (!file.lock()) {
          throw new NetcdfException(
              NetcdfError.LOG, name.entries() + " is in use by a program that still runs");
        }
      }
    }
  }

  LogName name() {
    return name;
  }

  LogWriter writer() {
    return writer;
  }
}
