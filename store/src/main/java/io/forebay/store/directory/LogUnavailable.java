// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import io.forebay.base.ByteSize;
import io.forebay.store.tier.StoreConfig.Mode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A log that cannot be opened as requested. The message names the thing and the remedy, in one
 * sentence that begins in lower case and has no final full stop. Nothing was changed.
 */
public final class LogUnavailable extends Exception {
  private static final long serialVersionUID = 1;

  LogUnavailable(String sentence) {
    super(sentence);
  }

  public LogUnavailable(String sentence, Throwable cause) {
    super(sentence, cause);
  }

  /** The whole message, as shown to users. */
  public String sentence() {
    return String.valueOf(getMessage());
  }

  static LogUnavailable missing(Path directory) {
    return new LogUnavailable(
        "'%s' does not exist; name the directory of a log".formatted(directory));
  }

  static LogUnavailable notADirectory(Path path) {
    return new LogUnavailable("'%s' is not a directory; name a directory".formatted(path));
  }

  static LogUnavailable notWritable(Path directory) {
    return new LogUnavailable("'%s' is not writable; check its permissions".formatted(directory));
  }

  static LogUnavailable notReadable(Path path) {
    return new LogUnavailable("'%s' is not readable; check its permissions".formatted(path));
  }

  static LogUnavailable noLog(Path directory) {
    return new LogUnavailable(
        "'%s' holds no log ('%s' is missing); name the directory of a log"
            .formatted(directory, IdentityFile.NAME));
  }

  static LogUnavailable foreignFile(Path directory, String name) {
    return new LogUnavailable(
        "'%s' holds no log but other files, such as '%s'; choose an empty directory"
            .formatted(directory, name));
  }

  static LogUnavailable broken(Path file, String detail) {
    return new LogUnavailable(
        "'%s' is broken (%s); restore it from a copy, or begin a new log in another directory"
            .formatted(file, detail));
  }

  static LogUnavailable newer(Path file, int version) {
    return new LogUnavailable(
        "'%s' was written by a newer version of Forebay (log version %s, this one reads up to %d);"
                .formatted(file, Integer.toUnsignedString(version), LogIdentity.VERSION)
            + " use that version");
  }

  static LogUnavailable inUse(Path directory, @Nullable Long pid) {
    return new LogUnavailable(
        "'%s' is in use by another process%s; stop it or choose another directory"
            .formatted(directory, pid == null ? "" : " (pid " + pid + ")"));
  }

  static LogUnavailable inUseHere(Path directory) {
    return new LogUnavailable(
        "'%s' is in use by this process already; close it first".formatted(directory));
  }

  static LogUnavailable otherMode(Path directory, Mode found, Mode asked) {
    return new LogUnavailable(
        "'%s' holds a log of mode %s, not %s; open it with the mode it was made with"
            .formatted(directory, word(found), word(asked)));
  }

  static LogUnavailable otherSegmentBytes(Path directory, int found, int asked) {
    return new LogUnavailable(
        "'%s' holds a log with segments of %s, not %s; open it with the size it was made with"
            .formatted(directory, ByteSize.format(found), ByteSize.format(asked)));
  }

  static LogUnavailable missingMemory(Path directory) {
    return new LogUnavailable(
        "'%s', the directory for memory segments, does not exist; create it or name another"
            .formatted(directory));
  }

  static LogUnavailable longPath(Path directory) {
    return new LogUnavailable(
        "'%s' is too long a path for memory segments; choose a shorter one".formatted(directory));
  }

  static LogUnavailable memoryElsewhere(Path directory, Path memory) {
    return new LogUnavailable(
        "the memory segments of '%s' are in '%s'; open it with that memory root, or with none"
            .formatted(directory, memory));
  }

  static LogUnavailable memoryNeeded(Path directory) {
    return new LogUnavailable(
        "'%s' belongs to a log that is there; remove that log first".formatted(directory));
  }

  static LogUnavailable noMemory(List<Path> places, long neededBytes, long freeBytes) {
    if (places.isEmpty()) {
      return new LogUnavailable(
          "there is no memory file system such as /dev/shm for the %s that 'memory' promises; name"
                  .formatted(ByteSize.format(neededBytes))
              + " a memory-root on a tmpfs, set memory to 0, or accept memory that dies with the"
              + " process with anonymous-memory");
    }
    String names =
        places.stream().map(place -> "'" + place + "'").collect(Collectors.joining(", "));
    return new LogUnavailable(
        "%s has room for %s of the %s that 'memory' still has to take there; lower memory, give it"
                .formatted(names, ByteSize.format(freeBytes), ByteSize.format(neededBytes))
            + " more room (a container: --shm-size), name another memory-root, or accept memory"
            + " that dies with the process with anonymous-memory");
  }

  private static String word(Mode mode) {
    return switch (mode) {
      case MEMORY -> "memory";
      case SSD -> "SSD";
      case HYBRID -> "hybrid";
    };
  }
}
