package io.forebay.mount;

import io.forebay.client.FileStat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The FIFOs, sockets and devices that the kernel knows of. It opens them without telling us, so the
 * servers remove one with its last name although programs may have it open; those are then told
 * what was known of it last. Any thread.
 */
final class SpecialFiles {
  /** More than that are forgotten at once: their open ones have no attributes once removed. */
  private static final int KNOWN_MAX = 64 * 1024;

  private final Map<Long, FileStat> known = new ConcurrentHashMap<>();

  /** The kernel is told of a node. */
  FileStat told(FileStat stat) {
    if (!stat.isSpecial()) return stat;
    if (known.size() >= KNOWN_MAX) known.clear();
    known.put(stat.number(), stat);
    return stat;
  }

  void forget(long number) {
    known.remove(number);
  }

  /** What there is to say of a special file that has lost its last name; null for any other. */
  @Nullable FileStat removed(long number) {
    FileStat last = known.get(number);
    return last == null ? null : last.withLinks(0);
  }
}
