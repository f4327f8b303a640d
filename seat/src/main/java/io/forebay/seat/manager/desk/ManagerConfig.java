// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.GroupId;
import io.forebay.seat.manager.pool.PoolBook;

/**
 * The configuration of a manager. Validated once; an error names the key.
 *
 * @param expectedServers the ring is formed when this many servers have come with all their seats
 * @param waitNanos or this long after the first one, with the servers that are there
 * @param defaultCopies the default number of copies of an instance
 * @param goneNanos a seat that is away for longer is replaced by others
 * @param quietNanos a group that has not changed for this long may get another home just to restore
 *     its order
 * @param granuleBytes the unit of allocation of pools without settings
 */
public record ManagerConfig(
    int expectedServers,
    long waitNanos,
    int defaultCopies,
    long goneNanos,
    long quietNanos,
    long granuleBytes) {
  public static final long GONE_NANOS_DEFAULT = 20_000_000_000L;
  public static final long QUIET_NANOS_DEFAULT = 30_000_000_000L;

  /** With the default times for changes of members, and the default unit of allocation. */
  public ManagerConfig(int expectedServers, long waitNanos, int defaultCopies) {
    this(
        expectedServers,
        waitNanos,
        defaultCopies,
        GONE_NANOS_DEFAULT,
        QUIET_NANOS_DEFAULT,
        PoolBook.GRANULE_BYTES_DEFAULT);
  }

  /** The same with another unit of allocation. */
  public ManagerConfig withGranuleBytes(long bytes) {
    return new ManagerConfig(
        expectedServers, waitNanos, defaultCopies, goneNanos, quietNanos, bytes);
  }

  public ManagerConfig {
    if (expectedServers < 1) {
      throw new IllegalArgumentException("expected servers: " + expectedServers);
    }
    if (goneNanos < 1) throw new IllegalArgumentException("gone after " + goneNanos + " ns");
    if (quietNanos < 1) throw new IllegalArgumentException("quiet after " + quietNanos + " ns");
    if (granuleBytes < 1) throw new IllegalArgumentException("granules of " + granuleBytes);
    if (waitNanos < 0) throw new IllegalArgumentException("wait of " + waitNanos + " ns");
    if (defaultCopies < 1 || defaultCopies > GroupId.COPIES_MAX) {
      throw new IllegalArgumentException(
          "default copies " + defaultCopies + " are not between 1 and " + GroupId.COPIES_MAX);
    }
  }
}
