// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Creates files and directories that only their owner can use, regardless of the process's umask: a
 * log holds the content of every user's files. Stateless; any thread.
 */
public final class OwnerOnly {
  private static final FileAttribute<Set<PosixFilePermission>> DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<Set<PosixFilePermission>> FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private OwnerOnly() {}

  /** Creates a directory and its missing parents; existing ones stay unchanged. */
  public static void createDirectories(Path directory) throws IOException {
    Files.createDirectories(directory, DIRECTORY);
  }

  /** Opens a file; one that is made by this gets mode 600. */
  public static FileChannel open(Path file, OpenOption... options) throws IOException {
    return FileChannel.open(file, Set.of(options), FILE);
  }

  /** Writes a small text as a whole file; one that is made by this gets mode 600. */
  public static void write(Path file, String text) throws IOException {
    try (FileChannel channel =
        open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
      while (bytes.hasRemaining()) channel.write(bytes);
    }
  }
}
