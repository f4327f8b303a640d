// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.mount;

import io.forebay.cli.terminal.CommandFailed;
import io.forebay.store.disk.OwnerOnly;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The log file of a mount in the background. Its standard error is not read, and programs get only
 * error numbers: failures and their reasons are here.
 */
final class MountLog {
  /** A log file of former mounts that is longer than this is moved aside when a mount begins. */
  private static final long KEPT_BYTES_MAX = 16 << 20;

  private static final String FOR_ALL = "/var/log/forebay";
  private static final String STATE_OF_USER = ".local/state";

  private final Path file;
  private final long startBytes;

  private MountLog(Path file, long startBytes) {
    this.file = file;
    this.startBytes = startBytes;
  }

  /** The usual place: the system's for root, the user's own for others. */
  static Path usual(Path mountPoint) {
    String name = mountPoint.toAbsolutePath().normalize().toString().replace('/', '-');
    return directory(System.getProperty("user.name"), System.getenv("XDG_STATE_HOME"))
        .resolve("mount" + name + ".log");
  }

  private static Path directory(String user, @Nullable String stateHome) {
    if ("root".equals(user)) return Path.of(FOR_ALL);
    boolean given = stateHome != null && !stateHome.isEmpty();
    Path home = Path.of(System.getProperty("user.home"));
    return (given ? Path.of(stateHome) : home.resolve(STATE_OF_USER)).resolve("forebay");
  }

  /** Makes the file, or fails with a sentence. */
  static MountLog open(Path file) {
    Path whole = file.toAbsolutePath().normalize();
    try {
      Path parent = whole.getParent();
      if (parent != null) OwnerOnly.createDirectories(parent);
      if (Files.exists(whole) && Files.size(whole) > KEPT_BYTES_MAX) {
        Path aside = whole.resolveSibling(whole.getFileName() + ".1");
        Files.move(whole, aside, StandardCopyOption.REPLACE_EXISTING);
      }
      if (!Files.exists(whole)) {
        // The log may contain file names.
        var mine = PosixFilePermissions.fromString("rw-------");
        Files.createFile(whole, PosixFilePermissions.asFileAttribute(mine));
      }
      if (!Files.isWritable(whole)) throw new IOException("it cannot be written");
      return new MountLog(whole, Files.size(whole));
    } catch (IOException e) {
      throw new CommandFailed(
          "the log '%s' cannot be made (%s); name another file with --log"
              .formatted(whole, e.getMessage()),
          e);
    }
  }

  Path file() {
    return file;
  }

  /** What this mount has written. */
  List<String> lines() throws IOException {
    byte[] all = Files.readAllBytes(file);
    int from = (int) Math.min(startBytes, all.length);
    return new String(all, from, all.length - from, StandardCharsets.UTF_8).lines().toList();
  }
}
