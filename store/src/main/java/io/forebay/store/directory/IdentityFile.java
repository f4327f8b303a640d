// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import io.forebay.store.disk.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The file that makes a directory a log's. It is replaced as a whole, so that a crash leaves the
 * old one or the new one. Stateless; the writer holds the {@link DirectoryLock}.
 */
public final class IdentityFile {
  static final String NAME = "forebay.log";
  private static final String NEW_NAME = NAME + ".new";

  /**
   * Files that may be in a directory without making it foreign. A manager makes its certificates
   * before its log.
   */
  private static final Set<String> HARMLESS =
      Set.of(NEW_NAME, DirectoryLock.NAME, "lost+found", "certificates");

  private IdentityFile() {}

  /** The identity of the log there, or null if there is no log; refuses one it cannot judge. */
  static @Nullable LogIdentity read(Path directory) throws LogUnavailable, IOException {
    if (Files.notExists(directory)) return null;
    if (!Files.isDirectory(directory)) throw LogUnavailable.notADirectory(directory);
    Path file = directory.resolve(NAME);
    if (Files.isDirectory(file)) throw LogUnavailable.broken(file, "it is a directory");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      // One byte more than a block, to see that the file ends there.
      ByteBuffer block = ByteBuffer.allocate(LogIdentity.BYTES + 1);
      while (block.hasRemaining() && channel.read(block) >= 0) {}
      return switch (LogIdentity.parse(block.flip())) {
        case LogIdentity.Parsed.Valid valid -> valid.identity();
        case LogIdentity.Parsed.Newer newer -> throw LogUnavailable.newer(file, newer.version());
        case LogIdentity.Parsed.Broken broken -> throw LogUnavailable.broken(file, broken.detail());
      };
    } catch (NoSuchFileException none) {
      return null;
    } catch (AccessDeniedException denied) {
      throw new LogUnavailable(LogUnavailable.notReadable(file).sentence(), denied);
    }
  }

  /** The identity of the log that must be there. */
  public static LogIdentity require(Path directory) throws LogUnavailable, IOException {
    if (Files.notExists(directory)) throw LogUnavailable.missing(directory);
    LogIdentity identity = read(directory);
    if (identity == null) throw LogUnavailable.noLog(directory);
    return identity;
  }

  /** Refuses a directory with files that belong to no log. */
  static void requireVacant(Path directory) throws LogUnavailable, IOException {
    if (Files.notExists(directory)) return;
    Set<String> names = new TreeSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) names.add(entry.getFileName().toString());
    }
    names.removeAll(HARMLESS);
    if (!names.isEmpty()) {
      throw LogUnavailable.foreignFile(directory, names.iterator().next());
    }
  }

  static void write(Path directory, LogIdentity identity) throws IOException {
    Path fresh = directory.resolve(NEW_NAME);
    try (FileChannel channel =
        OwnerOnly.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS)) {
      ByteBuffer block = identity.toBlock();
      while (block.hasRemaining()) channel.write(block);
      channel.force(true);
    }
    Files.move(fresh, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    force(directory);
  }

  static void delete(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve(NEW_NAME));
    Files.deleteIfExists(directory.resolve(NAME));
  }

  /** Makes the names in a directory durable. */
  static void force(Path directory) throws IOException {
    try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
      entries.force(true);
    }
  }
}
