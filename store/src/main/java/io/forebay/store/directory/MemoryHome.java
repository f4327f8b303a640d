// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import io.forebay.store.StoreOpening;
import io.forebay.store.log.LogId;
import io.forebay.store.tier.StoreConfig.Mode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The directories of one log's memory segments. A log keeps its directories as long as they exist:
 * memory segments elsewhere would not be found again.
 *
 * @param memory the preferred directory
 * @param fallback used when the preferred one is full
 */
public record MemoryHome(@Nullable Path memory, @Nullable Path fallback) {
  /** The prefix of memory directories; the log's id follows. */
  static final String PREFIX = "forebay-";

  private static final String OWNER_ONLY = "rwx------";

  /** Finds the place for a log's memory without making it. */
  static MemoryHome choose(
      LogDirectory.Options options,
      Machine machine,
      LogId log,
      Mode mode,
      @Nullable LogIdentity was)
      throws LogUnavailable {
    if (mode == Mode.SSD) return new MemoryHome(null, null);
    Path root = options.memoryRoot() != null ? options.memoryRoot() : machine.memoryRoot();
    MemoryHome wanted = new MemoryHome(below(root, log), below(options.memoryFallback(), log));
    if (was == null) return wanted;
    Path standing = existing(was.memory());
    if (standing != null && options.memoryRoot() != null && !standing.equals(wanted.memory)) {
      throw LogUnavailable.memoryElsewhere(options.directory(), standing);
    }
    Path standingFallback = existing(was.memoryFallback());
    return new MemoryHome(
        standing != null ? standing : wanted.memory,
        standingFallback != null ? standingFallback : wanted.fallback);
  }

  /** Whether an identity can name the directory of a log below that root. */
  static boolean fits(Path root) {
    String longest = String.valueOf(below(root, new LogId(0, 0)));
    return longest.getBytes(StandardCharsets.UTF_8).length <= LogIdentity.PATH_BYTES_MAX;
  }

  /** The existing directories of an identity. */
  public static MemoryHome standing(LogIdentity identity) {
    return new MemoryHome(existing(identity.memory()), existing(identity.memoryFallback()));
  }

  /** Whether every directory of an identity exists. */
  public static boolean allThere(LogIdentity identity) {
    return (identity.memory().isEmpty() || existing(identity.memory()) != null)
        && (identity.memoryFallback().isEmpty() || existing(identity.memoryFallback()) != null);
  }

  public List<Path> directories() {
    List<Path> directories = new ArrayList<>();
    if (memory != null) directories.add(memory);
    if (fallback != null && !fallback.equals(memory)) directories.add(fallback);
    return directories;
  }

  /** Makes the directories, for their owner only. */
  void make() throws IOException {
    for (Path directory : directories()) {
      if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) continue;
      Files.createDirectory(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY)));
    }
  }

  int slots() throws IOException {
    int slots = 0;
    for (Path directory : directories()) {
      slots += SlotFiles.list(directory, StoreOpening.MEMORY_PREFIX).size();
    }
    return slots;
  }

  /** Removes the directories with their slots; other files in them stay, and so do they. */
  void remove() throws IOException {
    for (Path directory : directories()) {
      if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) continue;
      SlotFiles.remove(directory, StoreOpening.MEMORY_PREFIX);
    }
  }

  static String text(@Nullable Path path) {
    return path == null ? "" : path.toString();
  }

  private static @Nullable Path below(@Nullable Path root, LogId log) {
    return root == null ? null : root.toAbsolutePath().resolve(PREFIX + log);
  }

  private static @Nullable Path existing(String directory) {
    if (directory.isEmpty()) return null;
    Path path = Path.of(directory);
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) ? path : null;
  }
}
