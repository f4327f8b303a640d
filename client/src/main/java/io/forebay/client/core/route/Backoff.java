// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import java.util.random.RandomGenerator;

/**
 * How long to wait before the next try: twice as long each time up to a bound, and never the same
 * for two clients, so that they do not all come back at once.
 */
final class Backoff {
  private static final long FIRST_NANOS = 2_000_000L;
  private static final long NANOS_MAX = 500_000_000L;
  private static final int DOUBLINGS_MAX = 8;

  private final RandomGenerator random;

  Backoff(RandomGenerator random) {
    this.random = random;
  }

  /** The wait after so many failed tries in a row; between half and all of what it could be. */
  long nanos(int failures) {
    long whole =
        Math.min(NANOS_MAX, FIRST_NANOS << Math.min(DOUBLINGS_MAX, Math.max(0, failures - 1)));
    return whole / 2 + random.nextLong(whole / 2 + 1);
  }
}
