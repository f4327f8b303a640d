// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.demo;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A separate block device for a backing store: a file behind a loop device, with ext4 on it, and
 * throttled where the system supports it. Needs root. One thread creates it; any may close it, at
 * any time, which removes it completely.
 */
public final class LoopDevice implements Closeable {
  /** Why it cannot be created. */
  public static final class Impossible extends IOException {
    private static final long serialVersionUID = 1L;

    Impossible(String message) {
      super(message);
    }
  }

  private static final long BYTES_PER_SECOND = SlowShare.BYTES_PER_SECOND;

  /** What ext4 and its journal take besides. */
  private static final long OTHER_BYTES = 192L << 20;

  private static final Path MOUNTS = Path.of("/proc/self/mounts");
  private static final String THROTTLE = "blkio.throttle.write_bps_device";

  private final Path image;
  private final Path mountPoint;
  private @Nullable String device;
  private @Nullable Path throttle;
  private String number = "";
  private boolean mounted;
  private boolean closed;

  /**
   * Makes nothing yet.
   *
   * @param storage where the file behind it goes: in memory nothing but the throttle slows it
   * @param work where it is mounted
   */
  public LoopDevice(Path storage, Path work) {
    this.image = storage.resolve("device.img");
    this.mountPoint = work.resolve("device");
  }

  /** The size of the file behind it for this many bytes of files. */
  public static long imageBytes(long bytes) {
    return bytes + bytes / 16 + OTHER_BYTES;
  }

  /** Creates it for this many bytes of files, and mounts it. */
  public void mount(long bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(imageBytes(bytes));
    }
    Files.createDirectories(mountPoint);
    attach();
    // Before it is throttled: preparation is not measured.
    step("mkfs.ext4", "-q", "-F", "-E", "nodiscard", device());
    enter();
    slowDown();
  }

  private synchronized void attach() throws IOException {
    requireOpen();
    device = output("losetup", "--find", "--show", image.toString()).strip();
    Path name = Path.of(device()).getFileName();
    number = Files.readString(Path.of("/sys/block", name.toString(), "dev")).strip();
  }

  private synchronized void enter() throws IOException {
    requireOpen();
    step("mount", "-t", "ext4", device(), mountPoint.toString());
    mounted = true;
  }

  /** With the global limit of control groups version 1. */
  private synchronized void slowDown() throws IOException {
    requireOpen();
    Path group = throttleGroup();
    if (group == null || !Files.isWritable(group)) return;
    Files.writeString(group, number + " " + BYTES_PER_SECOND + "\n");
    if (Files.readString(group).contains(number + " ")) throttle = group;
  }

  private static @Nullable Path throttleGroup() throws IOException {
    for (String line : Files.readAllLines(MOUNTS)) {
      String[] fields = line.split(" ", -1);
      boolean found = fields.length > 3 && fields[2].equals("cgroup");
      if (found && (fields[3] + ",").contains(",blkio,")) return Path.of(fields[1], THROTTLE);
    }
    return null;
  }

  /** Where files go. */
  public Path directory() {
    return mountPoint;
  }

  /** Its description, for people. */
  public synchronized String label() {
    return throttle == null
        ? "a loop device with ext4, NOT throttled"
        : "a loop device with ext4, throttled to " + SlowShare.RATE + ", " + SlowShare.REASON;
  }

  /** Why it is not slow, as a sentence; empty if it is. */
  public synchronized String reason() {
    return throttle != null
        ? ""
        : "this system has no blkio control group of version 1 that could throttle a device";
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    // First, since the unmount writes back what was not forced.
    if (throttle != null) Files.writeString(throttle, number + " 0\n");
    throttle = null;
    if (mounted) step("umount", mountPoint.toString());
    mounted = false;
    if (device != null) step("losetup", "--detach", device);
    device = null;
    Files.deleteIfExists(image);
  }

  private String device() {
    if (device == null) throw new IllegalStateException("there is no device");
    return device;
  }

  private void requireOpen() throws IOException {
    if (closed) throw new IOException("interrupted");
  }

  private static void step(String... command) throws IOException {
    output(command);
  }

  private static String output(String... command) throws IOException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException missing) {
      throw new Impossible("there is no '" + command[0] + "' here");
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() == 0) return said;
    throw new Impossible("'" + String.join(" ", command) + "' failed: " + said.strip());
  }
}
