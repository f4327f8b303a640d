// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import io.forebay.store.disk.OwnerOnly;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Marks the memory directories of an open log. Each is locked, so that no other process takes its
 * segments for orphans, and names the log's directory, so that orphans are recognized when that is
 * gone. Called by the log's owner only.
 */
final class MemoryClaim implements AutoCloseable {
  /** Holds the path of the log's directory. */
  static final String LOG_NAME = "log";

  private final List<DirectoryLock> locks = new ArrayList<>();

  /** Locks the directories, which exist, and records the log that owns them. */
  static MemoryClaim take(MemoryHome home, Path log) throws LogUnavailable, IOException {
    MemoryClaim claim = new MemoryClaim();
    boolean taken = false;
    try {
      for (Path directory : home.directories()) {
        claim.locks.add(DirectoryLock.toWrite(directory));
        OwnerOnly.write(directory.resolve(LOG_NAME), log + "\n");
      }
      taken = true;
      return claim;
    } finally {
      if (!taken) claim.close();
    }
  }

  /** The log that a memory directory was made for, or null if it does not say. */
  static @Nullable Path logOf(Path directory) throws IOException {
    Path file = directory.resolve(LOG_NAME);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) return null;
    try {
      return Path.of(Files.readString(file, StandardCharsets.UTF_8).strip());
    } catch (NoSuchFileException gone) {
      return null;
    }
  }

  /** Removes the marks, as before the directory itself is removed. */
  static void removeMarks(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve(LOG_NAME));
    Files.deleteIfExists(directory.resolve(DirectoryLock.NAME));
  }

  @Override
  public void close() throws IOException {
    for (DirectoryLock lock : locks) lock.close();
  }
}
