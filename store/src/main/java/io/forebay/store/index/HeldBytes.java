// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import java.util.HashMap;
import java.util.Map;

/**
 * The payload bytes of data records that must be kept or are arriving, by instance and group. While
 * a record is moved it may count twice for a moment. Called by the store's thread only.
 */
public final class HeldBytes {
  // Looked up only.
  private final Map<Long, Long> byInstanceAndGroup = new HashMap<>();
  private long bytes;

  /** Counts bytes in, or out if they are negative. */
  public void add(int instance, int group, long more) {
    bytes += more;
    byInstanceAndGroup.merge(
        key(instance, group), more, (before, added) -> before + added == 0 ? null : before + added);
  }

  /** Of all instances. */
  public long bytes() {
    return bytes;
  }

  /** Of one instance in one group. */
  public long bytes(int instance, int group) {
    return byInstanceAndGroup.getOrDefault(key(instance, group), 0L);
  }

  private static long key(int instance, int group) {
    return ((long) instance << Integer.SIZE) | Integer.toUnsignedLong(group);
  }
}
