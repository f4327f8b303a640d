// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.client.file.FileStat;
import io.forebay.mount.fuse.operation.AttributeSetting;
import io.forebay.mount.fuse.operation.Errno;
import io.forebay.mount.fuse.operation.ErrnoException;
import io.forebay.wire.message.Identity;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The directories, FIFOs, sockets and devices that the kernel knows. Servers are not told when a
 * program opens one, and remove it with its last name. A program that has it open then gets the
 * last known attributes, and attributes that the program sets are kept here, until the kernel
 * forgets the node. Any thread.
 */
final class RemovedNodes {
  /**
   * Beyond this number all are forgotten at once: open ones then have no attributes once removed.
   */
  private static final int KNOWN_MAX = 64 * 1024;

  private final Map<Long, FileStat> known = new ConcurrentHashMap<>();
  private final LongPredicate isOpenDirectory;

  RemovedNodes(LongPredicate isOpenDirectory) {
    this.isOpenDirectory = isOpenDirectory;
  }

  /** The kernel gets the attributes of a node. */
  FileStat told(FileStat stat) {
    if (!stat.isSpecial() && !stat.isDirectory()) return stat;
    if (known.size() >= KNOWN_MAX) known.clear();
    known.put(stat.number(), stat);
    return stat;
  }

  void forget(long number) {
    known.remove(number);
  }

  /**
   * The attributes of a node that the servers have removed; null if no program can have it open. A
   * directory counts only if it is open, so that the kernel looks its name up again.
   */
  @Nullable FileStat removed(long number) {
    FileStat last = known.get(number);
    if (last == null || (last.isDirectory() && !isOpenDirectory.test(number))) return null;
    return last.withLinks(0);
  }

  /** Sets attributes of such a node, as its owner may. */
  FileStat set(Identity who, FileStat removed, AttributeSetting what, Instant now)
      throws ErrnoException {
    boolean root = who.user() == 0;
    boolean owner = root || who.user() == removed.user();
    boolean givesAway = what.user() != null || what.group() != null;
    if (!owner || (givesAway && !root)) throw new ErrnoException(Errno.EPERM);
    if (what.sizeBytes() != null) throw new ErrnoException(Errno.EINVAL);
    FileStat set =
        new FileStat(
            removed.number(),
            removed.kind(),
            or(what.mode(), removed.mode()) & FileStat.MODE_BITS,
            or(what.user(), removed.user()),
            or(what.group(), removed.group()),
            removed.links(),
            removed.sizeBytes(),
            removed.allocatedBytes(),
            or(what.accessTime(), removed.accessTime(), now),
            or(what.modifyTime(), removed.modifyTime(), now),
            now,
            removed.version(),
            removed.device());
    known.put(set.number(), set);
    return set;
  }

  private static int or(@Nullable Integer wanted, int present) {
    return wanted == null ? present : wanted;
  }

  private static Instant or(AttributeSetting.@Nullable Time wanted, Instant present, Instant now) {
    if (wanted == null) return present;
    Instant instant = wanted.instant();
    return instant == null ? now : instant;
  }
}
