// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging;

import io.forebay.netcdf.driver.logging.layout.FileMark;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.store.FileStamp;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether logs that a program left belong to the current file: the same file, with the same
 * definitions, unchanged by other programs since. Changes that the program itself, or a recovery of
 * its logs, had begun do not count.
 */
final class LogMatch {
  private final Path file;
  private final Header header;
  private final List<LogContent> logs;

  LogMatch(Path file, Header header, List<LogContent> logs) {
    this.file = file;
    this.header = header;
    this.logs = logs;
  }

  /** Throws, with the reason and the remedy, if the logs do not belong to the file. */
  void require() throws IOException {
    String problem = problem();
    if (problem == null) return;
    throw new NetcdfException(
        NetcdfError.LOG,
        ("logs of %s hold writes to it, but %s; 'forebay netcdf recover --discard' removes these"
                + " logs, '--force' brings their writes into the file as it is now")
            .formatted(file, problem));
  }

  /** Why the logs do not belong to the file; null if they do. */
  @Nullable String problem() throws IOException {
    List<FileMark> marks = new ArrayList<>();
    for (LogContent log : logs) {
      if (log.header().run() != logs.getFirst().header().run()) {
        return "they were left by several runs of programs";
      }
      if (log.mark() != null) marks.add(log.mark());
    }
    if (marks.isEmpty()) return "they do not record which file they belong to";
    FileStamp now = FileStamp.of(file);
    int definitions = FileMark.definitions(header);
    for (FileMark mark : marks) {
      if (mark.definitions() != definitions) {
        return "it has other definitions than when they were written";
      }
    }
    if (isOnlyChangedByRecovery(now)) return null;
    boolean steady = marks.stream().allMatch(mark -> mark.state() == FileMark.State.STEADY);
    return steady ? steadyProblem(marks, now) : changingProblem(marks, now);
  }

  /**
   * Throws if the logs are of a file with other definitions, or of another one of that name. For a
   * file that its program may be changing.
   */
  void requireSameFile() throws IOException {
    FileStamp now = FileStamp.of(file);
    int definitions = FileMark.definitions(header);
    for (LogContent log : logs) {
      FileMark mark = log.mark();
      if (mark == null || log.entries().isEmpty()) continue;
      if (mark.definitions() != definitions || mark.stamp().number() != now.number()) {
        throw new NetcdfException(
            NetcdfError.LOG,
            "%s is a log of another file than %s is now; 'forebay netcdf recover --discard' removes it"
                .formatted(log.name().entries(), file));
      }
    }
  }

  private boolean isOnlyChangedByRecovery(FileStamp now) throws IOException {
    RecoveryTrace trace = RecoveryTrace.of(file);
    return trace != null
        && trace.run() == logs.getFirst().header().run()
        && trace.stamp().equals(now);
  }

  private static @Nullable String steadyProblem(List<FileMark> marks, FileStamp now) {
    for (FileMark mark : marks) {
      if (mark.stamp().number() != now.number()) return replaced(now);
      if (!mark.stamp().equals(now)) return changed(now, mark.stamp());
    }
    return null;
  }

  /** The program was killed while it changed the file, a moment after the last of its notes. */
  private static @Nullable String changingProblem(List<FileMark> marks, FileStamp now) {
    FileStamp latest = marks.getFirst().stamp();
    long ownUntilNanos = Long.MIN_VALUE;
    for (FileMark mark : marks) {
      if (mark.stamp().number() != now.number()) return replaced(now);
      if (mark.stamp().sizeBytes() > now.sizeBytes()) return changed(now, mark.stamp());
      if (mark.stamp().modifiedNanos() > latest.modifiedNanos()) latest = mark.stamp();
      ownUntilNanos = Math.max(ownUntilNanos, FileWatch.ownUntilNanos(mark));
    }
    return now.modifiedNanos() <= ownUntilNanos ? null : changed(now, latest);
  }

  private static String replaced(FileStamp now) {
    return "it is another file, of " + time(now);
  }

  private static String changed(FileStamp now, FileStamp known) {
    return "another program changed it at %s, after %s".formatted(time(now), time(known));
  }

  private static Instant time(FileStamp stamp) {
    return stamp.modified().truncatedTo(ChronoUnit.MILLIS);
  }
}
