package io.forebay.seat.manager;

import io.forebay.base.GroupId;

/**
 * How a manager gathers its ring. Validated once; an error names the key.
 *
 * @param expectedServers the ring is formed when so many servers have come with all their seats
 * @param waitNanos or this long after the first one, with those who are there
 * @param defaultCopies how many copies an instance keeps that does not say
 */
public record ManagerConfig(int expectedServers, long waitNanos, int defaultCopies) {
  public ManagerConfig {
    if (expectedServers < 1) {
      throw new IllegalArgumentException("expected servers: " + expectedServers);
    }
    if (waitNanos < 0) throw new IllegalArgumentException("wait of " + waitNanos + " ns");
    if (defaultCopies < 1 || defaultCopies > GroupId.COPIES_MAX) {
      throw new IllegalArgumentException(
          "default copies " + defaultCopies + " are not between 1 and " + GroupId.COPIES_MAX);
    }
  }
}
