// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

import io.forebay.mount.fuse.library.FuseUnavailable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks whether a directory can be a mount point; the refusal is a sentence. Any thread. */
public final class MountPoint {
  private static final Path DEVICE = Path.of("/dev/fuse");

  private MountPoint() {}

  /**
   * The absolute path to mount on.
   *
   * @param evenIfFull whether there may be something in it, which the mount then hides
   */
  public static Path check(Path given, boolean evenIfFull) throws IOException {
    Path directory = Mounts.directory(given);
    Optional<Mounts.Mount> present = Mounts.at(directory);
    if (present.isPresent() && present.get().type().startsWith("fuse.forebay")) {
      throw new FuseUnavailable(
          "'%s' is mounted already, from %s; 'forebay umount %s' takes that away"
              .formatted(given, present.get().source(), given));
    }
    if (!Files.exists(directory)) {
      throw new FuseUnavailable(
          "'%s' does not exist; make it with 'mkdir %s'".formatted(given, given));
    }
    if (!Files.isDirectory(directory)) {
      throw new FuseUnavailable("'%s' is not a directory; mount on one".formatted(given));
    }
    if (!evenIfFull) checkEmpty(given, directory);
    checkDevice();
    return directory.toRealPath();
  }

  private static void checkEmpty(Path given, Path directory) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      if (entries.iterator().hasNext()) {
        throw new FuseUnavailable(
            "'%s' is not empty; mount on an empty directory, or with '-o nonempty' to hide what is in it"
                .formatted(given));
      }
    }
  }

  /** Whether the kernel can do it, and whether we may ask it to. */
  static void checkDevice() throws FuseUnavailable {
    if (!Files.exists(DEVICE)) {
      throw new FuseUnavailable(
          "there is no /dev/fuse; load the kernel's module with 'modprobe fuse', or give the"
              + " container that device");
    }
    boolean mayOpen = Files.isReadable(DEVICE) && Files.isWritable(DEVICE);
    String why = obstacle(isRoot(), mayOpen, Mounts.tool().isPresent());
    if (why != null) throw new FuseUnavailable(why);
  }

  /** Why this user cannot mount, or null. */
  static @Nullable String obstacle(boolean root, boolean mayOpenDevice, boolean hasTool) {
    if (!root && !hasTool) {
      return "a user other than root needs fusermount3 to mount; install it with 'apt-get"
          + " install fuse3' (Debian, Ubuntu) or 'dnf install fuse3' (Fedora, RHEL)";
    }
    // With fusermount3, too, the mounting user opens it.
    if (mayOpenDevice) return null;
    return "this user may not open /dev/fuse; 'chmod 666 /dev/fuse' allows all users to, as is"
        + " usual";
  }

  private static boolean isRoot() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    } catch (IOException e) {
      return false;
    }
  }
}
