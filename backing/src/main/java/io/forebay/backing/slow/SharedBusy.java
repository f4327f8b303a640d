// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.slow;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time until which the device is busy, in a file that all processes of this host map: the
 * profile applies to the whole store, for any number of servers that drain to it. On one host they
 * also share the monotonic clock. Any thread.
 */
final class SharedBusy implements SlowPace.Busy {
  private static final Logger LOG = LoggerFactory.getLogger(SharedBusy.class);
  private static final VarHandle UNTIL = ValueLayout.JAVA_LONG.varHandle();

  private final Path file;
  private final boolean made;
  private final MemorySegment word;

  SharedBusy(Path file) throws IOException {
    this.file = file;
    Files.createDirectories(file.toAbsolutePath().getParent());
    made = make(file);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      // As long as any store refers to it: stores are closed in any order.
      word = channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES, Arena.ofAuto());
    }
  }

  @Override
  public long untilNanos() {
    return (long) UNTIL.getVolatile(word, 0L);
  }

  @Override
  public boolean change(long expectedNanos, long untilNanos) {
    return UNTIL.compareAndSet(word, 0L, expectedNanos, untilNanos);
  }

  /** The creator of the file removes it; processes that have mapped it can still use it. */
  @Override
  public void close() {
    if (!made) return;
    try {
      Files.deleteIfExists(file);
      Files.deleteIfExists(file.toAbsolutePath().getParent());
    } catch (DirectoryNotEmptyException others) {
      LOG.debug("{} is used for other stores too", file.getParent());
    } catch (IOException left) {
      LOG.warn("{} could not be removed", file, left);
    }
  }

  private static boolean make(Path file) throws IOException {
    try {
      Files.createFile(file);
      return true;
    } catch (FileAlreadyExistsException others) {
      return false;
    }
  }
}
