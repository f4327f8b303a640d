package io.forebay.server;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The time people live in. */
final class WallTime {
  private WallTime() {}

  /** Nanoseconds since 1970. */
  static long nanos() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }
}
