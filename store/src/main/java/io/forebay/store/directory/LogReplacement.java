// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import io.forebay.store.disk.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Puts a new log in the place of another one, which is kept. Both are on the SSD only, and neither
 * is open. Blocks; belongs to one thread. The steps:
 *
 * <ol>
 *   <li>The identity of the former log moves away: from now on its directory holds no log.
 *   <li>Its segments move away, and those of the new log take their place.
 *   <li>The identity of the new log comes last: only now can it be opened.
 * </ol>
 *
 * <p>After a crash in between, what is missing can be done again.
 */
public final class LogReplacement {
  private LogReplacement() {}

  /**
   * Replaces the log.
   *
   * @param directory of the former log, which may be gone; files beside it stay
   * @param fresh the directory of the new log, which is removed
   * @param kept where the former log goes, which does not exist
   */
  public static void replace(Path directory, Path fresh, Path kept)
      throws LogUnavailable, IOException {
    IdentityFile.require(fresh);
    OwnerOnly.createDirectories(directory);
    DirectoryLock lock = DirectoryLock.toWrite(directory);
    try {
      boolean any = hasLog(directory) || Files.exists(LogDirectory.segmentsOf(directory));
      if (any) keep(directory, kept);
      move(LogDirectory.segmentsOf(fresh), directory);
      IdentityFile.force(directory);
      move(fresh.resolve(IdentityFile.NAME), directory);
      IdentityFile.force(directory);
    } finally {
      lock.close();
    }
    Files.deleteIfExists(fresh.resolve(DirectoryLock.NAME));
    Files.deleteIfExists(fresh);
  }

  private static void keep(Path directory, Path kept) throws IOException {
    OwnerOnly.createDirectories(kept);
    move(directory.resolve(IdentityFile.NAME), kept);
    IdentityFile.force(directory);
    move(LogDirectory.segmentsOf(directory), kept);
    IdentityFile.force(kept);
  }

  /** Moves what an interrupted replacement has left of a former log to where its identity is. */
  public static void finishKeeping(Path directory, Path kept) throws IOException {
    boolean begun = hasLog(kept) && !hasLog(directory);
    if (begun && Files.notExists(LogDirectory.segmentsOf(kept))) {
      move(LogDirectory.segmentsOf(directory), kept);
    }
  }

  /** Refuses the directory of a log that is open. */
  public static void requireUnused(Path directory) throws LogUnavailable, IOException {
    if (Files.isDirectory(directory)) DirectoryLock.toRead(directory).close();
  }

  /** Whether a directory has a log, as far as its files show. */
  public static boolean hasLog(Path directory) {
    return Files.exists(directory.resolve(IdentityFile.NAME));
  }

  private static void move(Path file, Path into) throws IOException {
    if (Files.notExists(file)) return;
    Files.move(file, into.resolve(file.getFileName()), StandardCopyOption.ATOMIC_MOVE);
  }
}
