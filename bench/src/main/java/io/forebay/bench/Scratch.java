// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench;

import io.forebay.base.ByteSize;
import io.forebay.server.ring.TreeRemoval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Directories for the time of a benchmark, one on a device and one in memory. They are removed at
 * its end, even when a signal ends the process: leftovers would take memory from all programs.
 */
public final class Scratch implements AutoCloseable {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final String PREFIX = "forebay-bench-";
  private static final long CHILDREN_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);
  private static final long CHILDREN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Path device;
  private final Path memory;
  private final List<String> notes = new ArrayList<>();
  private final Thread cleanUp;
  private volatile boolean ending;

  /** Creates them if there is room for this many bytes each, else nothing. */
  public Scratch(Path directory, long deviceBytes, long memoryBytes)
      throws IOException, BenchmarkImpossible {
    requireRoom(directory, deviceBytes);
    boolean shared = Files.isWritable(SHARED_MEMORY) && hasRoom(SHARED_MEMORY, memoryBytes);
    if (!shared) requireRoom(directory, deviceBytes + memoryBytes);
    if (Files.getFileStore(directory).type().equals("tmpfs")) {
      notes.add(
          "'%s' is memory, so figures named ssd are not those of a device; choose one with --dir"
              .formatted(directory));
    }
    if (!shared) {
      notes.add(
          "%s has no %s free, so memory segments are mapped files in '%s'"
              .formatted(SHARED_MEMORY, ByteSize.format(memoryBytes), directory));
    }
    device = Files.createTempDirectory(directory, PREFIX);
    memory = Files.createTempDirectory(shared ? SHARED_MEMORY : directory, PREFIX);
    cleanUp = Thread.ofPlatform().unstarted(this::deleteQuietly);
    Runtime.getRuntime().addShutdownHook(cleanUp);
  }

  /** A new empty directory on the device. */
  public Path onDevice(String name) throws IOException {
    return Files.createDirectory(device.resolve(name));
  }

  /** The directory on the device that all others are in. */
  public Path device() {
    return device;
  }

  /** A new empty directory in memory. */
  public Path inMemory(String name) throws IOException {
    return Files.createDirectory(memory.resolve(name));
  }

  /** Notes on the place of the measurements, for readers of the figures. */
  public List<String> notes() {
    return notes;
  }

  /** Removes a directory and everything in it, also while the benchmark's threads go on. */
  public static void delete(Path directory) throws IOException {
    TreeRemoval.remove(directory);
  }

  @Override
  public void close() throws IOException {
    // The clean-up does the rest; the benchmark failed since its files vanish.
    if (ending) return;
    Runtime.getRuntime().removeShutdownHook(cleanUp);
    delete(device);
    delete(memory);
  }

  /** Other hooks and the benchmark's threads go on meanwhile. */
  private void deleteQuietly() {
    ending = true;
    awaitChildren();
    for (Path directory : List.of(device, memory)) {
      try {
        delete(directory);
      } catch (IOException stuck) {
        // The process ends: it can only report what it leaves behind.
        System.err.println("forebay: '" + directory + "' could not be deleted: " + stuck);
      }
    }
  }

  /** Child processes need these files to find their own memory, which they remove themselves. */
  private static void awaitChildren() {
    long start = System.nanoTime();
    while (ProcessHandle.current().children().findAny().isPresent()
        && System.nanoTime() - start < CHILDREN_NANOS_MAX) {
      LockSupport.parkNanos(CHILDREN_PAUSE_NANOS);
    }
  }

  private static void requireRoom(Path directory, long bytes)
      throws IOException, BenchmarkImpossible {
    if (!Files.exists(directory)) throw new NoSuchFileException(directory.toString());
    if (!Files.isDirectory(directory)) throw new NotDirectoryException(directory.toString());
    if (!hasRoom(directory, bytes)) {
      throw new BenchmarkImpossible(
          "'%s' does not have the required %s free; choose another directory with --dir"
              .formatted(directory, ByteSize.format(bytes)));
    }
  }

  private static boolean hasRoom(Path directory, long bytes) throws IOException {
    return Files.getFileStore(directory).getUsableSpace() >= bytes;
  }
}
