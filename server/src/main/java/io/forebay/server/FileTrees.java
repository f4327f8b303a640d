// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.store.directory.LogDirectory;
import io.forebay.store.directory.LogUnavailable;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes the files of a temporary cluster. */
public final class FileTrees {
  private static final Logger LOG = LoggerFactory.getLogger(FileTrees.class);

  private FileTrees() {}

  /** Removes a log that is not open, with its memory; logs a warning if it cannot. */
  static void removeLog(Path directory) {
    if (Files.notExists(directory)) return;
    try {
      LogDirectory.destroy(directory);
    } catch (LogUnavailable e) {
      LOG.warn("a log stays behind: {}", e.sentence());
    } catch (IOException e) {
      LOG.warn("the log in {} stays behind", directory, e);
    }
  }

  /** Removes a directory with all that is in it. */
  public static void remove(Path tree) {
    try {
      Files.walkFileTree(tree, new Removal());
    } catch (IOException e) {
      LOG.warn("{} stays behind", tree, e);
    }
  }

  private static final class Removal extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
        throws IOException {
      if (e != null) throw e;
      Files.delete(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
