// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.GroupId;

/**
 * How a manager gathers its ring. Validated once; an error names the key.
 *
 * @param expectedServers the ring is formed when so many servers have come with all their seats
 * @param waitNanos or this long after the first one, with those who are there
 * @param defaultCopies how many copies an instance keeps that does not say
 * @param goneNanos a seat that is away for longer is replaced by others
 * @param quietNanos a group that has not changed for so long may get another home for no other
 *     reason than that it is its turn
 */
public record ManagerConfig(
    int expectedServers, long waitNanos, int defaultCopies, long goneNanos, long quietNanos) {
  public static final long GONE_NANOS_DEFAULT = 20_000_000_000L;
  public static final long QUIET_NANOS_DEFAULT = 30_000_000_000L;

  /** With what is usual for changes of members. */
  public ManagerConfig(int expectedServers, long waitNanos, int defaultCopies) {
    this(expectedServers, waitNanos, defaultCopies, GONE_NANOS_DEFAULT, QUIET_NANOS_DEFAULT);
  }

  public ManagerConfig {
    if (expectedServers < 1) {
      throw new IllegalArgumentException("expected servers: " + expectedServers);
    }
    if (goneNanos < 1) throw new IllegalArgumentException("gone after " + goneNanos + " ns");
    if (quietNanos < 1) throw new IllegalArgumentException("quiet after " + quietNanos + " ns");
    if (waitNanos < 0) throw new IllegalArgumentException("wait of " + waitNanos + " ns");
    if (defaultCopies < 1 || defaultCopies > GroupId.COPIES_MAX) {
      throw new IllegalArgumentException(
          "default copies " + defaultCopies + " are not between 1 and " + GroupId.COPIES_MAX);
    }
  }
}
