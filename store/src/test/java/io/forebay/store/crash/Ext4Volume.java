// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.crash;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * An ext4 file system of its own in a file, on a loop device, whose power can be cut: what was not
 * forced by then is lost. Needs root.
 */
final class Ext4Volume implements AutoCloseable {
  /** Stops a file system at once: {@code _IOR('X', 125, __u32)}. */
  private static final long EXT4_IOC_SHUTDOWN = 0x8004587DL;

  /** Without writing out its journal first, as a power cut does not either. */
  private static final int GOING_NOLOGFLUSH = 2;

  private static final int O_RDONLY = 0;

  private final Path image;
  private final Path mountPoint;
  private boolean mounted;

  private Ext4Volume(Path image, Path mountPoint) {
    this.image = image;
    this.mountPoint = mountPoint;
  }

  /** Whether this machine and this user can make one. */
  static boolean possible() throws IOException {
    if (!Files.isWritable(Path.of("/dev/loop-control"))) return false;
    for (String command : List.of("mkfs.ext4", "mount", "umount")) {
      if (!run("sh", "-c", "command -v " + command).succeeded()) return false;
    }
    return true;
  }

  /** Makes one below a directory and mounts it. */
  static Ext4Volume make(Path directory, long bytes) throws IOException {
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
  Path root() {
    return mountPoint;
  }

  /** From now on nothing reaches the device any more, and all use of it fails. */
  void cutPower() {
    assertThat(shutDown(mountPoint)).as("result of the ioctl").isZero();
  }

  /** Mounts it again, as after a restart; nobody may use it any more. */
  void restart() throws IOException {
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
    require("umount", mountPoint.toString());
    mounted = false;
  }

  @SuppressWarnings("restricted") // The tests run with native access.
  private static int shutDown(Path path) {
    Linker linker = Linker.nativeLinker();
    // Both are declared with "..." after two arguments.
    Linker.Option variadic = Linker.Option.firstVariadicArg(2);
    MethodHandle open =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("open"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
            variadic);
    MethodHandle ioctl =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("ioctl"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
            variadic);
    MethodHandle close =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment flags = arena.allocateFrom(JAVA_INT, GOING_NOLOGFLUSH);
      int descriptor = (int) open.invokeExact(arena.allocateFrom(path.toString()), O_RDONLY);
      int result = (int) ioctl.invokeExact(descriptor, EXT4_IOC_SHUTDOWN, flags);
      int closed = (int) close.invokeExact(descriptor);
      return result | closed;
    } catch (Throwable e) {
      throw new AssertionError("a call to the C library failed", e);
    }
  }

  private record Ended(int exitCode, String output) {
    boolean succeeded() {
      return exitCode == 0;
    }
  }

  private static void require(String... command) throws IOException {
    Ended ended = run(command);
    assertThat(ended.succeeded()).as("%s: %s", List.of(command), ended.output).isTrue();
  }

  private static Ended run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return new Ended(process.onExit().join().exitValue(), output);
  }
}
