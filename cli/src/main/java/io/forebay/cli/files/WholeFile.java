// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files;

import io.forebay.cli.terminal.CommandFailed;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import org.jspecify.annotations.Nullable;

/**
 * A local file that gets its name when it is complete: it is written to a temporary file beside it
 * and renamed. A device or pipe is written to directly.
 */
final class WholeFile implements AutoCloseable {
  private final Path target;

  /** Where it is written, or null if the target itself is. */
  private final @Nullable Path part;

  private WholeFile(Path target, @Nullable Path part) {
    this.target = target;
    this.part = part;
  }

  static WholeFile at(Path path) throws IOException {
    boolean exists = Files.exists(path);
    // A link stays a link.
    Path target = exists ? path.toRealPath() : path.toAbsolutePath();
    Path name = target.getFileName();
    if (name == null || Files.isDirectory(target)) {
      throw new CommandFailed("'" + path + "' is a directory; name the file as well");
    }
    if (exists && !Files.isWritable(target)) throw new AccessDeniedException(path.toString());
    if (exists && !Files.isRegularFile(target)) return new WholeFile(target, null);
    String partName = "." + name + "." + ProcessHandle.current().pid() + ".part";
    return new WholeFile(target, target.resolveSibling(partName));
  }

  /** Begins the file; may be called again to start over. */
  OutputStream begin() throws IOException {
    return Files.newOutputStream(part == null ? target : part);
  }

  /** Whether it can start over. */
  boolean repeatable() {
    return part != null;
  }

  /** The file is complete: gives it its name. */
  void keep() throws IOException {
    if (part == null) return;
    PosixFileAttributeView before =
        Files.exists(target)
            ? Files.getFileAttributeView(target, PosixFileAttributeView.class)
            : null;
    if (before != null) Files.setPosixFilePermissions(part, before.readAttributes().permissions());
    Files.move(part, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() throws IOException {
    if (part != null) Files.deleteIfExists(part);
  }
}
