// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import io.forebay.store.StoreOpening;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A directory with memory segments below a memory root, and whether its log still needs it. Memory
 * that a process has open is never an orphan: its lock holds in all containers that share the root.
 * Any thread.
 *
 * @param log the directory of its log, if recorded
 */
public record OrphanMemory(Path directory, long bytes, State state, @Nullable Path log) {
  /** Whether a log needs it. */
  public enum State {
    /** A process has the log open. */
    IN_USE,
    /** The log exists and is not open: its next opening needs this memory. */
    KEPT,
    /** The log is gone, or another is in its place: nothing will read this memory. */
    ORPHAN,
    /** The owner is not recorded: an earlier version created it. */
    UNKNOWN
  }

  /** All directories of memory segments below a root, by name. */
  public static List<OrphanMemory> find(Path root) throws LogUnavailable, IOException {
    LogOpening.requireDirectory(root);
    List<OrphanMemory> found = new ArrayList<>();
    for (Path entry : below(root)) {
      if (isOfALog(entry)) found.add(look(entry));
      else for (Path inner : below(entry)) if (isOfALog(inner)) found.add(look(inner));
    }
    found.sort(Comparator.comparing(OrphanMemory::directory));
    return found;
  }

  /** The directories that may be a log's, or hold the logs of a ring that a command made. */
  private static List<Path> below(Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(directory, MemoryHome.PREFIX + "*")) {
      for (Path entry : entries) {
        if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) found.add(entry);
      }
    } catch (DirectoryIteratorException failure) {
      throw failure.getCause();
    }
    return found;
  }

  /** Removes an orphan; refuses if it is no longer one. */
  public static void remove(OrphanMemory orphan) throws LogUnavailable, IOException {
    Path directory = orphan.directory;
    try (DirectoryLock _ = DirectoryLock.toWrite(directory)) {
      Path log = MemoryClaim.logOf(directory);
      if (log == null || needs(log, directory)) throw LogUnavailable.memoryNeeded(directory);
      SlotFiles.remove(directory, StoreOpening.MEMORY_PREFIX);
    }
  }

  /** Names of rings' directories share a prefix; names of logs' directories end with an id. */
  private static boolean isOfALog(Path entry) {
    String name = entry.getFileName().toString().substring(MemoryHome.PREFIX.length());
    return name.matches("[0-9a-f]{32}");
  }

  private static OrphanMemory look(Path directory) throws IOException {
    long bytes = bytesIn(directory);
    Path log = MemoryClaim.logOf(directory);
    try (DirectoryLock _ = DirectoryLock.toRead(directory)) {
      State state = log == null ? State.UNKNOWN : needs(log, directory) ? State.KEPT : State.ORPHAN;
      return new OrphanMemory(directory, bytes, state, log);
    } catch (LogUnavailable held) {
      return new OrphanMemory(directory, bytes, State.IN_USE, log);
    }
  }

  private static boolean needs(Path log, Path directory) throws IOException {
    try {
      LogIdentity identity = IdentityFile.read(log);
      return identity != null
          && directory.getFileName().toString().equals(MemoryHome.PREFIX + identity.log());
    } catch (LogUnavailable unreadable) {
      // An identity that cannot be judged may be restored from a copy.
      return true;
    }
  }

  private static long bytesIn(Path directory) throws IOException {
    long bytes = 0;
    for (Path slot : SlotFiles.list(directory, StoreOpening.MEMORY_PREFIX)) {
      // 0 if its server has just removed it.
      bytes += slot.toFile().length();
    }
    return bytes;
  }
}
