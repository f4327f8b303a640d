// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import io.forebay.base.MonotonicClock;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Removes a directory with everything in it while other threads may still create and delete files
 * there: a process that a signal ends does not stop its threads first. Any thread may call.
 */
public final class TreeRemoval {
  private static final long REMOVAL_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);
  private static final String SUFFIX = ".removed";
  private static final Path MOUNTS = Path.of("/proc/self/mounts");

  private TreeRemoval() {}

  /**
   * Removes a directory, if it exists. It gets another name first, so that no more files can be
   * created by its paths. A file that is being created may still appear in a directory that was
   * just emptied, so the removal is tried for a while; a file that is gone already is no error.
   */
  public static void remove(Path tree) throws IOException {
    Path renamed = rename(tree);
    MonotonicClock clock = MonotonicClock.system();
    long startNanos = clock.nanos();
    while (Files.exists(renamed, LinkOption.NOFOLLOW_LINKS)) {
      try {
        Files.walkFileTree(renamed, new Removal());
      } catch (IOException e) {
        if (clock.nanos() - startNanos > REMOVAL_NANOS_MAX) throw e;
      }
    }
  }

  private static Path rename(Path tree) {
    Path renamed = tree.resolveSibling(tree.getFileName() + SUFFIX);
    try {
      // What is mounted in it is unmounted by its path, perhaps by a process that ends later.
      return hasMounts(tree) ? tree : Files.move(tree, renamed);
    } catch (IOException e) {
      // Such as for a directory whose parent belongs to another user: removed as it is.
      return tree;
    }
  }

  private static boolean hasMounts(Path tree) throws IOException {
    String below = " " + tree.toAbsolutePath() + "/";
    return Files.readAllLines(MOUNTS).stream().anyMatch(mount -> mount.contains(below));
  }

  private static final class Removal extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) return FileVisitResult.CONTINUE;
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
        throws IOException {
      if (e != null) throw e;
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
