// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.machine;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Wall-clock time. */
public final class WallTime {
  private WallTime() {}

  /** Nanoseconds since 1970. */
  public static long nanos() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }
}
