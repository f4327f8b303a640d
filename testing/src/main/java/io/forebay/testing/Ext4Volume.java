// SPDX-License-Identifier: Apache-2.0

package io.forebay.testing;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * An ext4 file system of its own in a file, on a loop device, whose power can be cut: what was not
 * forced by then is lost. Needs root.
 */
public final class Ext4Volume implements AutoCloseable {
  /**
   * Stops a file system at once, by EXT4_IOC_SHUTDOWN, which is {@code _IOR('X', 125, __u32)}: with
   * 2, without writing out its journal first, as a power cut does not either.
   */
  private static final String SHUT_DOWN =
      """
      sysopen(my $directory, $ARGV[0], 0) or die "open: $!";
      my $how = pack("L", 2);
      ioctl($directory, 0x8004587D, $how) or die "ioctl: $!";
      """;

  private static final Duration BUSY_MAX = Duration.ofSeconds(20);
  private static final long BUSY_LOOK_NANOS = 20_000_000;

  private final Path image;
  private final Path mountPoint;
  private boolean mounted;

  private Ext4Volume(Path image, Path mountPoint) {
    this.image = image;
    this.mountPoint = mountPoint;
  }

  /** Whether this machine and this user can make one. */
  public static boolean possible() throws IOException {
    if (!Files.isWritable(Path.of("/dev/loop-control"))) return false;
    for (String command : List.of("mkfs.ext4", "mount", "umount", "perl")) {
      if (!run("sh", "-c", "command -v " + command).succeeded()) return false;
    }
    return true;
  }

  /** Makes one below a directory and mounts it. */
  public static Ext4Volume make(Path directory, long bytes) throws IOException {
    Ext4Volume volume =
        new Ext4Volume(
            directory.resolve("image"), Files.createDirectory(directory.resolve("mounted")));
    try (RandomAccessFile file = new RandomAccessFile(volume.image.toFile(), "rw")) {
      file.setLength(bytes);
    }
    require("mkfs.ext4", "-q", "-F", volume.image.toString());
    volume.mount();
    return volume;
  }

  /** Where its files are. */
  public Path root() {
    return mountPoint;
  }

  /** Forces everything that is in it. */
  public void force() throws IOException {
    require("sync", "-f", mountPoint.toString());
  }

  /** From now on nothing reaches the device any more, and all use of it fails. */
  public void cutPower() throws IOException {
    require("perl", "-e", SHUT_DOWN, mountPoint.toString());
  }

  /** Mounts it again, as after a restart; nobody may use it any more. */
  public void restart() throws IOException {
    unmount();
    mount();
  }

  @Override
  public void close() throws IOException {
    unmount();
    Files.delete(image);
  }

  private void mount() throws IOException {
    require("mount", "-o", "loop", image.toString(), mountPoint.toString());
    mounted = true;
  }

  /** Detaches the loop device too, since mounting attached it. */
  private void unmount() throws IOException {
    if (!mounted) return;
    long startNanos = System.nanoTime();
    // Threads that are ending still have files open.
    Ended ended = run("umount", mountPoint.toString());
    while (!ended.succeeded() && System.nanoTime() - startNanos < BUSY_MAX.toNanos()) {
      LockSupport.parkNanos(BUSY_LOOK_NANOS);
      ended = run("umount", mountPoint.toString());
    }
    if (!ended.succeeded()) throw new IOException("umount: " + ended.output());
    mounted = false;
  }

  private record Ended(int exitCode, String output) {
    boolean succeeded() {
      return exitCode == 0;
    }
  }

  private static void require(String... command) throws IOException {
    Ended ended = run(command);
    if (!ended.succeeded()) throw new IOException(List.of(command) + ": " + ended.output());
  }

  private static Ended run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return new Ended(process.onExit().join().exitValue(), output);
  }
}
