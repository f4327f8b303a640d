// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import io.forebay.store.disk.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reserves a log's directory for one process: a lock on the file {@code lock}, which names its
 * holder. The kernel releases it when the process dies. Any thread.
 */
public final class DirectoryLock implements AutoCloseable {
  static final String NAME = "lock";
  private static final int PID_BYTES_MAX = 20;

  /**
   * The directories this process holds. The kernel keeps these locks per process and drops them as
   * soon as the process closes any descriptor of the file, so it must not even be opened twice; no
   * object but one of the whole process can know that.
   */
  private static final Set<Object> HELD = ConcurrentHashMap.newKeySet();

  private final Object key;
  private final Path file;
  private final @Nullable FileChannel channel;
  private final boolean owner;
  private boolean closed;

  private DirectoryLock(Object key, Path file, @Nullable FileChannel channel, boolean owner) {
    this.key = key;
    this.file = file;
    this.channel = channel;
    this.owner = owner;
  }

  /** For a log that is to be changed. */
  static DirectoryLock toWrite(Path directory) throws LogUnavailable, IOException {
    return acquire(directory, true);
  }

  /** For a log that is only read: makes no file and changes none. */
  public static DirectoryLock toRead(Path directory) throws LogUnavailable, IOException {
    return acquire(directory, false);
  }

  private static DirectoryLock acquire(Path directory, boolean write)
      throws LogUnavailable, IOException {
    Object key = keyOf(directory);
    if (!HELD.add(key)) throw LogUnavailable.inUseHere(directory);
    boolean held = false;
    try {
      DirectoryLock lock = lock(key, directory, write);
      held = true;
      return lock;
    } finally {
      if (!held) HELD.remove(key);
    }
  }

  private static DirectoryLock lock(Object key, Path directory, boolean write)
      throws LogUnavailable, IOException {
    Path file = directory.resolve(NAME);
    FileChannel channel;
    try {
      channel = write ? openToWrite(file) : FileChannel.open(file, StandardOpenOption.READ);
    } catch (NoSuchFileException none) {
      if (write) throw none;
      // No process has it open, or it was deleted; either way there is nothing to lock.
      return new DirectoryLock(key, file, null, false);
    }
    boolean held = false;
    try {
      FileLock lock = channel.tryLock(0, Long.MAX_VALUE, !write);
      if (lock == null) throw LogUnavailable.inUse(directory, livingPid(channel));
      // The process that destroyed the log before this lock was granted deleted the file too.
      if (Files.notExists(file)) throw LogUnavailable.inUse(directory, null);
      if (write) writePid(channel);
      held = true;
      return new DirectoryLock(key, file, channel, write);
    } finally {
      if (!held) channel.close();
    }
  }

  private static FileChannel openToWrite(Path file) throws IOException {
    return OwnerOnly.open(
        file,
        StandardOpenOption.CREATE,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        LinkOption.NOFOLLOW_LINKS);
  }

  /** Releases the lock and removes its file, as when the log is destroyed or was never made. */
  void remove() throws IOException {
    Files.deleteIfExists(file);
    close();
  }

  /** Releases the lock; its file stays, empty. */
  @Override
  public void close() throws IOException {
    if (closed) return;
    closed = true;
    try (FileChannel closing = channel) {
      if (closing != null && owner) closing.truncate(0);
    } finally {
      HELD.remove(key);
    }
  }

  private static void writePid(FileChannel channel) throws IOException {
    channel.truncate(0);
    String pid = ProcessHandle.current().pid() + "\n";
    channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
  }

  /**
   * The holder's pid, if it can be one: a reader holds the lock without leaving its own, and then
   * the pid is that of a process long dead.
   */
  private static @Nullable Long livingPid(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(PID_BYTES_MAX);
    if (channel.read(text, 0) <= 0) return null;
    String pid = StandardCharsets.US_ASCII.decode(text.flip()).toString().strip();
    try {
      long number = Long.parseLong(pid);
      return ProcessHandle.of(number).isPresent() ? number : null;
    } catch (NumberFormatException noPid) {
      return null;
    }
  }

  private static Object keyOf(Path directory) throws IOException {
    Object key = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
    return key == null ? directory.toRealPath() : key;
  }
}
