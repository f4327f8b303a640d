// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

import io.forebay.mount.fuse.library.LibC;
import io.forebay.mount.fuse.operation.Errno;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The mounts of this machine, and unmounting them. Any thread. */
public final class Mounts {
  /**
   * One mount.
   *
   * @param type such as {@code fuse.forebay}
   */
  public record Mount(Path directory, String type, String source) {}

  private static final Path TABLE = Path.of("/proc/self/mountinfo");
  private static final String SEPARATOR = " - ";
  private static final int POINT_FIELD = 4;
  private static final int MNT_FORCE = 1;
  private static final long TOOL_SECONDS_MAX = 60;
  private static final long ANSWER_SECONDS_MAX = 2;
  private static final List<Path> TOOL_FOLDERS =
      List.of(Path.of("/usr/bin"), Path.of("/bin"), Path.of("/usr/local/bin"));

  private Mounts() {}

  /** The mount on a directory, the last one if there are several. */
  public static Optional<Mount> at(Path directory) throws IOException {
    Mount found = null;
    for (Mount mount : all()) if (mount.directory.equals(directory)) found = mount;
    return Optional.ofNullable(found);
  }

  /** The mount that a path is in: that on the longest directory, the last one if several are. */
  public static Optional<Mount> holding(Path path) throws IOException {
    Mount found = null;
    for (Mount mount : all()) {
      if (!path.startsWith(mount.directory)) continue;
      int depth = mount.directory.getNameCount();
      if (found == null || depth >= found.directory.getNameCount()) found = mount;
    }
    return Optional.ofNullable(found);
  }

  /** The mounts on directories below one, in the order in which they were made. */
  public static List<Mount> below(Path directory) throws IOException {
    return all().stream()
        .filter(mount -> mount.directory.startsWith(directory))
        .filter(mount -> !mount.directory.equals(directory))
        .toList();
  }

  private static List<Mount> all() throws IOException {
    List<Mount> mounts = new ArrayList<>();
    for (String line : Files.readAllLines(TABLE, StandardCharsets.UTF_8)) {
      int middle = line.indexOf(SEPARATOR);
      if (middle < 0) continue;
      String[] before = line.substring(0, middle).split(" ", -1);
      String[] behind = line.substring(middle + SEPARATOR.length()).split(" ", -1);
      if (before.length <= POINT_FIELD || behind.length < 2) continue;
      Path point = Path.of(plain(before[POINT_FIELD]));
      mounts.add(new Mount(point, behind[0], plain(behind[1])));
    }
    return mounts;
  }

  /**
   * Whether the process that serves a mount lives. A mount whose process died refuses everything at
   * once; one that does not answer in time counts as alive. The question is about space: root of a
   * node may not look into the instance, and each try would be a refusal in the audit log.
   */
  public static boolean isServed(Path directory) {
    CompletableFuture<Integer> answered = new CompletableFuture<>();
    Thread.ofPlatform().daemon().start(() -> answered.complete(LibC.tryStatfs(directory)));
    int errno = answered.completeOnTimeout(0, ANSWER_SECONDS_MAX, TimeUnit.SECONDS).join();
    return errno != Errno.ENOTCONN && errno != Errno.ECONNABORTED;
  }

  /** The table writes blanks and the like as octal numbers. */
  private static String plain(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\\' && i + 3 < text.length()) {
        out.append((char) Integer.parseInt(text, i + 1, i + 4, 8));
        i += 3;
      } else {
        out.append(text.charAt(i));
      }
    }
    return out.toString();
  }

  /** The absolute path of a mount's directory, also if the mount does not answer any more. */
  public static Path directory(Path given) {
    Path absolute = given.toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    Path name = absolute.getFileName();
    if (parent == null || name == null) return absolute;
    try {
      // Not the directory itself: that would ask the mount, which may be dead.
      return parent.toRealPath().resolve(name);
    } catch (IOException e) {
      return absolute;
    }
  }

  /**
   * Unmounts if it is not in use, and waits until the kernel has written back its cache.
   *
   * @return 0 or an error number; EBUSY if it is in use
   */
  public static int unmount(Path directory) throws IOException {
    int errno = LibC.umount(directory, 0);
    return errno == Errno.EPERM ? withTool(directory, List.of("-u")) : errno;
  }

  /**
   * Detaches the mount from its directory; programs with open files can continue until they close
   * them.
   */
  public static int detach(Path directory) throws IOException {
    int errno = LibC.umount(directory, LibC.MNT_DETACH);
    return errno == Errno.EPERM ? withTool(directory, List.of("-u", "-z")) : errno;
  }

  /** The same, and requests that wait end with an error. */
  static int abort(Path directory) throws IOException {
    int errno = LibC.umount(directory, MNT_FORCE | LibC.MNT_DETACH);
    return errno == Errno.EPERM ? withTool(directory, List.of("-u", "-z")) : errno;
  }

  /** The program that mounts and unmounts for users without that privilege. */
  public static Optional<Path> tool() {
    return TOOL_FOLDERS.stream()
        .map(folder -> folder.resolve("fusermount3"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static int withTool(Path directory, List<String> options) throws IOException {
    Optional<Path> tool = tool();
    if (tool.isEmpty()) return Errno.EPERM;
    ProcessBuilder builder = new ProcessBuilder(tool.get().toString());
    builder.command().addAll(options);
    builder.command().add("--");
    builder.command().add(directory.toString());
    Process process = builder.redirectErrorStream(true).start();
    try {
      if (!process.waitFor(TOOL_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return Errno.ETIMEDOUT;
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      return Errno.EINTR;
    }
    if (process.exitValue() == 0) return 0;
    byte[] said = process.getInputStream().readAllBytes();
    boolean busy = new String(said, StandardCharsets.UTF_8).contains("busy");
    return busy ? Errno.EBUSY : Errno.EPERM;
  }
}
