// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging;

import io.forebay.base.MonotonicClock;
import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.driver.direct.Access;
import io.forebay.netcdf.driver.direct.DirectDriver;
import io.forebay.netcdf.driver.direct.DirectSettings;
import io.forebay.netcdf.driver.direct.Scratch;
import io.forebay.netcdf.driver.logging.layout.FileMark;
import io.forebay.netcdf.driver.logging.layout.LogEntry;
import io.forebay.netcdf.driver.logging.layout.LogHeader;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.HeaderReader;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.netcdf.store.Storage;
import io.forebay.parallel.Ranks;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Replays logs that a program left behind into their file: every write that had returned, in the
 * original order. Replaying twice does no harm, so it may be interrupted.
 */
public final class LogRecovery {
  /**
   * The result.
   *
   * @param logs the number of ranks with logs
   * @param damaged writes whose data is damaged, or that the file has no place for
   */
  public record Recovered(int logs, int writes, long dataBytes, int damaged) {}

  /** What to do with the logs. */
  public enum Mode {
    /** Examines them without changing anything. */
    EXAMINE,
    /** Replays the logs only if all writes are intact. */
    IF_SOUND,
    /** Replays the intact writes. */
    ACCEPT_DAMAGE
  }

  /** Whether logs must belong to the file as it is now. */
  public enum Match {
    REQUIRED,
    /** The user vouches for it. */
    TAKEN_FOR_GRANTED
  }

  /** Gets the number of bytes examined or replayed, and the total. */
  @FunctionalInterface
  public interface Progress {
    void update(long doneBytes, long totalBytes);
  }

  private static final Progress NOT_SHOWN = (done, total) -> {};

  /** How much is read at a time; a single write may be longer. */
  private static final long BATCH_BYTES = 64 << 20;

  private static final int BATCH_WRITES = 1 << 16;

  private static final String DAMAGED = ".damaged";

  private final Path file;
  private final List<LogName> names;
  private final Progress progress;
  private final Scratch memory = new Scratch();
  private long doneBytes;
  private long totalBytes;

  private LogRecovery(Path file, List<LogName> names, Progress progress) {
    this.file = file;
    this.names = names;
    this.progress = progress;
  }

  /**
   * Recovers a file from the logs in a directory, if they belong to the current file. Logs with
   * damaged writes are renamed instead of deleted.
   *
   * @param acceptDamage whether to continue without damaged writes
   */
  public static Recovered recover(Path file, Path directory, boolean acceptDamage)
      throws IOException {
    Mode mode = acceptDamage ? Mode.ACCEPT_DAMAGE : Mode.IF_SOUND;
    return recover(file, directory, mode, Match.REQUIRED, NOT_SHOWN);
  }

  /** The same in a given mode, with progress. */
  public static Recovered recover(
      Path file, Path directory, Mode mode, Match match, Progress progress) throws IOException {
    List<LogName> names = LogName.find(directory, file);
    for (LogName name : names) OpenLog.requireUnused(name);
    LogRecovery recovery = new LogRecovery(file, names, progress);
    try (recovery.memory) {
      return recovery.run(mode, match);
    }
  }

  /** Why logs do not belong to a file as it is now; null if they do. */
  public static @Nullable String mismatch(Path file, Header header, List<LogContent> logs)
      throws IOException {
    return new LogMatch(file, header, logs).problem();
  }

  private Recovered run(Mode mode, Match match) throws IOException {
    if (names.isEmpty()) return new Recovered(0, 0, 0, 0);
    List<LogContent> logs = new ArrayList<>();
    try {
      for (LogName name : names) logs.addAll(LogContent.read(name));
      Header header;
      try (SharedFile source = Storage.standard().open(file, StandardOpenOption.READ)) {
        header = HeaderReader.read(source.asSource());
      }
      List<LoggedWrite> sound = new ArrayList<>();
      int damaged = 0;
      List<LoggedWrite> all = LoggedWrite.inOrder(logs);
      LogMatch found = new LogMatch(file, header, logs);
      // Logs without writes cannot overwrite anything.
      if (match == Match.REQUIRED && !all.isEmpty()) found.require();
      long bytes = dataBytes(all);
      totalBytes = mode == Mode.EXAMINE ? bytes : 2 * bytes;
      for (LoggedWrite write : all) {
        if (isPossible(write.entry(), header) && write.log().isSound(write.entry()))
          sound.add(write);
        else damaged++;
        advance(write.entry().dataBytes());
      }
      if (mode == Mode.EXAMINE) {
        return new Recovered(logs.size(), sound.size(), dataBytes(sound), damaged);
      }
      if (damaged > 0 && mode != Mode.ACCEPT_DAMAGE) {
        throw new NetcdfException(
            NetcdfError.LOG,
            "%d writes in the logs of %s are damaged; recover it without them, or look at the logs"
                .formatted(damaged, file));
      }
      // Without writes the file may still be shorter than its program would have left it.
      if (!sound.isEmpty() || found.problem() == null) replay(header, sound, logs);
      remove(logs, damaged > 0);
      return new Recovered(logs.size(), sound.size(), dataBytes(sound), damaged);
    } finally {
      for (LogContent log : logs) log.close();
    }
  }

  private void advance(long bytes) {
    doneBytes += bytes;
    progress.update(doneBytes, totalBytes);
  }

  private static long dataBytes(List<LoggedWrite> writes) {
    long bytes = 0;
    for (LoggedWrite write : writes) bytes += write.entry().dataBytes();
    return bytes;
  }

  private static boolean isPossible(LogEntry entry, Header header) {
    if (entry.variable() >= header.variables().size()) return false;
    Variable variable = header.variables().get(entry.variable());
    long elements = 0;
    for (Subarray part : entry.parts()) {
      if (part.dimensions() != variable.dimensions().size()) return false;
      for (int d = 0; d < part.dimensions(); d++) {
        boolean record = d == 0 && header.isRecord(variable);
        long length = record ? header.format().recordsMax() : header.length(variable, d);
        if (part.start(d) < 0 || part.count(d) < 1 || part.stride(d) < 1) return false;
        if (part.last(d) >= length) return false;
      }
      elements += part.elements();
    }
    return elements * entry.type().sizeBytes() == entry.dataBytes();
  }

  private void replay(Header header, List<LoggedWrite> found, List<LogContent> logs)
      throws IOException {
    FileWatch watch = watch(logs);
    SharedFile target =
        watch.over(
            Storage.standard().open(file, StandardOpenOption.READ, StandardOpenOption.WRITE));
    try (DirectDriver driver =
        new DirectDriver(Ranks.alone(), target, header, DirectSettings.DEFAULT, Access.WRITE)) {
      long records = header.recordCount();
      for (int from = 0; from < found.size(); ) {
        int to = from;
        long bytes = 0;
        while (to < found.size() && (to == from || fits(bytes + dataBytes(found, to), to - from))) {
          bytes += dataBytes(found, to);
          records = Math.max(records, records(found.get(to).entry(), header));
          to++;
        }
        driver.put(transfers(found.subList(from, to), bytes), false);
        advance(bytes);
        from = to;
      }
      driver.recordCount(records);
      driver.sync();
    }
    Set<Integer> ranks = new TreeSet<>();
    for (LogContent log : logs) ranks.add(log.header().rank());
    LogHeader any = logs.getFirst().header();
    RecoveryTrace.leave(file, any.run(), any.ranks(), ranks);
  }

  /**
   * Notes in a log that its file changes, so that it still belongs to it if this is interrupted.
   */
  private FileWatch watch(List<LogContent> logs) throws IOException {
    FileWatch watch = new FileWatch(file, MonotonicClock.system());
    for (LogContent log : logs) {
      FileMark last = log.mark();
      if (last == null) continue;
      watch.keepIn(log::mark, last);
      break;
    }
    watch.changing();
    watch.changing(watch.touch());
    return watch;
  }

  private static boolean fits(long bytes, int writes) {
    return bytes <= BATCH_BYTES && writes < BATCH_WRITES;
  }

  private static long dataBytes(List<LoggedWrite> found, int index) {
    return found.get(index).entry().dataBytes();
  }

  static long records(LogEntry entry, Header header) {
    long records = 0;
    if (header.isRecord(header.variables().get(entry.variable()))) {
      for (Subarray part : entry.parts()) records = Math.max(records, part.last(0) + 1);
    }
    return records;
  }

  private List<Transfer> transfers(List<LoggedWrite> found, long bytes) throws IOException {
    MemorySegment room = memory.take(bytes);
    List<Transfer> transfers = new ArrayList<>();
    long at = 0;
    for (LoggedWrite one : found) {
      MemorySegment part = room.asSlice(at, one.entry().dataBytes());
      one.log().read(part, one.entry().dataOffset());
      Values values = new Values(part, one.entry().type(), one.log().header().order());
      // All have the same age: a later position in the list means younger.
      transfers.add(Transfer.now(one.entry().variable(), one.entry().parts(), values));
      at += one.entry().dataBytes();
    }
    return transfers;
  }

  /**
   * Removes all logs. After an interruption, the remaining ones must not count: older writes of one
   * rank would overwrite newer ones of another. So the log that is removed last is marked first:
   * with that mark all remaining logs are ignored.
   */
  private void remove(List<LogContent> logs, boolean keep) throws IOException {
    List<LogName> inTurn = new ArrayList<>(names);
    if (!keep && !logs.isEmpty()) {
      LogContent last = logs.getLast();
      last.invalidate(RankLog.after(LoggedWrite.highestGeneration(logs)));
      inTurn.remove(last.name());
      inTurn.add(last.name());
    }
    for (LogName name : inTurn) {
      if (keep) putAside(name);
      else name.delete();
    }
  }

  private static void putAside(LogName name) throws IOException {
    for (Path path : List.of(name.entries(), name.data())) {
      Files.move(path, path.resolveSibling(path.getFileName() + DAMAGED));
    }
  }
}
