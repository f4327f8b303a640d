// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.client.Nodes;
import io.forebay.client.file.DirectoryEntry;
import io.forebay.client.file.NodePage;
import io.forebay.mount.fuse.operation.DirectoryPage;
import io.forebay.mount.fuse.operation.Errno;
import io.forebay.mount.fuse.operation.ErrnoException;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Directories that programs read. An offset counts the names before it. A further read continues
 * after the last name, so that added and removed names do not affect the others. Attributes are
 * those at the time of the request, as the kernel expects. Any thread.
 */
final class Directories {
  private static final int NAMES_AT_ONCE_MAX = 1024;

  // The minimum size of an entry in an answer, with and without attributes.
  private static final int FULL_ENTRY_BYTES = 160;
  private static final int BARE_ENTRY_BYTES = 32;

  /** Adds an entry to the answer; false if it does not fit any more. */
  interface Telling {
    boolean add(DirectoryEntry entry, long nextOffset);
  }

  /** One opened directory: the names before the offsets at which answers ended. */
  private record Reading(long directory, TreeMap<Long, String> marks) {
    Reading(long directory) {
      this(directory, new TreeMap<>(Map.of(0L, "")));
    }
  }

  private final AtomicLong lastHandle = new AtomicLong();
  private final Map<Long, Reading> open = new ConcurrentHashMap<>();

  /** How many handles each directory has. */
  private final Map<Long, Integer> handles = new ConcurrentHashMap<>();

  long open(long directory) {
    long handle = lastHandle.incrementAndGet();
    open.put(handle, new Reading(directory));
    handles.merge(directory, 1, Integer::sum);
    return handle;
  }

  void release(long handle) {
    Reading reading = open.remove(handle);
    if (reading == null) return;
    handles.computeIfPresent(reading.directory, (key, count) -> count == 1 ? null : count - 1);
  }

  boolean isOpen(long directory) {
    return handles.containsKey(directory);
  }

  /** Adds entries from an offset on, until there are no more or the page is full. */
  void read(
      Nodes nodes, long directory, long handle, long offset, DirectoryPage page, Telling telling)
      throws IOException {
    Reading reading = open.get(handle);
    if (reading == null) throw new ErrnoException(Errno.EBADF);
    synchronized (reading) {
      String last = nameBefore(reading, nodes, directory, offset);
      if (last == null) return;
      int entryBytes = page.withAttributes() ? FULL_ENTRY_BYTES : BARE_ENTRY_BYTES;
      long at = offset;
      while (true) {
        int most = Math.clamp(page.roomBytes() / entryBytes, 1, NAMES_AT_ONCE_MAX);
        NodePage names = nodes.list(directory, last, most);
        for (DirectoryEntry entry : names.entries()) {
          if (!telling.add(entry, at + 1)) {
            reading.marks.put(at, last);
            return;
          }
          at++;
          last = entry.name();
        }
        reading.marks.put(at, last);
        if (!names.more() || names.entries().isEmpty()) return;
      }
    }
  }

  /** The name before an offset, or null if there are fewer names. */
  private static @Nullable String nameBefore(
      Reading reading, Nodes nodes, long directory, long offset) throws IOException {
    Map.Entry<Long, String> mark = reading.marks.floorEntry(offset);
    long at = mark.getKey();
    String last = mark.getValue();
    while (at < offset) {
      int most = (int) Math.min(offset - at, NAMES_AT_ONCE_MAX);
      NodePage names = nodes.list(directory, last, most);
      if (names.entries().isEmpty()) return null;
      last = names.entries().getLast().name();
      at += names.entries().size();
    }
    return last;
  }
}
