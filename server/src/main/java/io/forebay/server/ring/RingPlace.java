// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The directories of a command and the ring that runs in them. Closing it, or ending this process,
 * removes everything; any thread may close it.
 */
public final class RingPlace implements AutoCloseable {
  /** With less than this in a memory file system, the disk is used instead. */
  private static final long MEMORY_BYTES_MIN = 320L * 1024 * 1024;

  /** The room of a ring's processes besides the data. */
  private static final long PROCESSES_BYTES = 640L * 1024 * 1024;

  private final Path work;
  private final Path memory;
  private final @Nullable Path kept;
  private final Thread hook = new Thread(this::end, "ring-clearance");
  private @Nullable LocalRing ring;
  private @Nullable Closeable usedByRing;
  private volatile boolean ending;

  private RingPlace(Path work, Path memory, @Nullable Path kept) {
    this.work = work;
    this.memory = memory;
    this.kept = kept;
  }

  /** The room for a ring whose files are below a parent. */
  public static ServerSize room(Path parent) throws IOException {
    Path root = memoryRoot(parent);
    long memoryBytes = Files.getFileStore(root).getUsableSpace();
    if (root.equals(SharedMemory.DIRECTORY)) {
      memoryBytes = Math.min(memoryBytes, FreeMemory.bytes() - PROCESSES_BYTES);
    }
    return new ServerSize(memoryBytes, Files.getFileStore(parent).getUsableSpace());
  }

  /** The directory in memory or, if there is none with enough room, the given one. */
  private static Path memoryRoot(Path otherwise) throws IOException {
    return SharedMemory.freeBytes() >= MEMORY_BYTES_MIN ? SharedMemory.DIRECTORY : otherwise;
  }

  /**
   * Makes directories below a parent, and in memory.
   *
   * @param command the command that owns them, shown in their names
   * @param kept if given, the directory for the ring's files and memory instead, which stay
   */
  public static RingPlace make(String command, Path parent, @Nullable Path kept)
      throws IOException {
    String prefix = "forebay-" + command + "-";
    Path work = Files.createTempDirectory(parent, prefix);
    Path memory = Files.createTempDirectory(memoryRoot(parent), prefix);
    RingPlace place = new RingPlace(work, memory, kept);
    Runtime.getRuntime().addShutdownHook(place.hook);
    return place;
  }

  /** The directory of the ring's files. */
  public Path directory() {
    return kept != null ? kept : work.resolve("ring");
  }

  /** The directory of the servers' memory. */
  public Path memory() {
    return memory;
  }

  /** Whether the servers' memory is in files on a disk, since there is too little of another. */
  public boolean memoryIsOnDisk() {
    return !memory.startsWith(SharedMemory.DIRECTORY);
  }

  /** The directory on the disk below which the ring's files are. */
  public Path disk() {
    return kept != null ? kept : work;
  }

  /** For other files. */
  public Path work() {
    return work;
  }

  /** Whether this process is being ended. */
  public boolean ending() {
    return ending;
  }

  /** Lets a ring end with this place. */
  public synchronized LocalRing hold(LocalRing held) {
    ring = held;
    return held;
  }

  /** Registers a resource of the ring's processes, which is closed after they end. */
  public synchronized void closeAfterRing(Closeable used) {
    usedByRing = used;
  }

  /** Ends the ring's processes: in order if its files are kept, else at once. */
  public synchronized void stopRing() {
    if (ring != null && kept != null) ring.end();
    if (ring != null) ring.close();
  }

  @Override
  public void close() {
    clear();
    if (!ending) Runtime.getRuntime().removeShutdownHook(hook);
  }

  private void end() {
    ending = true;
    clear();
  }

  private synchronized void clear() {
    stopRing();
    try {
      if (usedByRing != null) usedByRing.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    removeTree(work);
    if (kept == null) removeTree(memory);
  }

  private static void removeTree(Path tree) {
    try {
      TreeRemoval.remove(tree);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
