// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.Limit;
import io.forebay.wire.WireLimits;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The time limits of one connection: for its start, for silence, and for slowness. */
final class TimeLimits {
  /**
   * What a connection does, as far as its limits depend on it.
   *
   * @param sends whether bytes are queued
   * @param awaitsRest whether a message has begun to arrive
   * @param accepted whether the other end dialled
   * @param client whether a client did
   */
  record Standing(
      ConnectionState state, boolean sends, boolean awaitsRest, boolean accepted, boolean client) {}

  /** A limit that was reached, and the reason for the connection's end. */
  record Exceeded(Limit limit, String reason) {}

  private final String remote;
  private final long startNanos;
  private final MinimumRate arriving = new MinimumRate();
  private final MinimumRate sending = new MinimumRate();
  private long sentNanos;
  private long takenInNanos;
  private long steps;

  TimeLimits(String remote, long now) {
    this.remote = remote;
    this.startNanos = now;
    this.takenInNanos = now;
  }

  /** Bytes are queued where none were. */
  void beginSending(long now) {
    sentNanos = now;
    sending.begin(now);
  }

  void sent(long bytes, long now) {
    if (bytes > 0) sentNanos = now;
    sending.moved(bytes);
  }

  void endSending() {
    sending.end();
  }

  /**
   * Bytes have come, or none although there was time for them.
   *
   * @param stepsNow the number of messages and payloads that were completed so far
   */
  void tookIn(long bytes, long stepsNow, boolean awaitsRest, long now) {
    takenInNanos = now;
    arriving.moved(bytes);
    if (steps != stepsNow || !awaitsRest) arriving.end();
    steps = stepsNow;
    if (awaitsRest) arriving.begin(now);
  }

  /** A transfer that waited for this end starts a new window. */
  void endArriving() {
    arriving.end();
  }

  long silentNanos(long now) {
    return now - takenInNanos;
  }

  /**
   * Which limit is exceeded, or null.
   *
   * @param wasAway this end was paused, and cannot tell which end was slow
   */
  @Nullable Exceeded exceeded(Standing standing, boolean wasAway, long now) {
    if (wasAway) {
      sending.restart(now);
      arriving.restart(now);
    }
    long limit = WireLimits.STALLED_NANOS_MAX;
    long seconds = TimeUnit.NANOSECONDS.toSeconds(limit);
    if (standing.state == ConnectionState.DIALLING && now - startNanos > limit) {
      return new Exceeded(
          Limit.HANDSHAKE_TIME,
          "cannot connect to " + remote + ": timed out after " + seconds + " s");
    }
    if (standing.state.isStarting() && now - startNanos > limit) {
      return new Exceeded(
          Limit.HANDSHAKE_TIME, remote + " did not finish the handshake within " + seconds + " s");
    }
    boolean open = standing.state == ConnectionState.OPEN;
    if (open && standing.sends && now - sentNanos > limit) {
      return new Exceeded(
          Limit.STALLED_TRANSFER,
          remote + " stopped reading: it took nothing for " + seconds + " s");
    }
    if (standing.awaitsRest && now - takenInNanos > limit) {
      // Room that was reserved for the payload must not be lost with its sender.
      return new Exceeded(
          Limit.STALLED_TRANSFER,
          remote + " stopped in the middle of a message: nothing came for " + seconds + " s");
    }
    if (open && standing.client && sending.isTooSlow(now)) {
      return new Exceeded(
          Limit.SLOW_READER,
          remote + " reads slower than " + WireLimits.BYTES_PER_SECOND_MIN + " bytes a second");
    }
    if (standing.accepted && standing.awaitsRest && arriving.isTooSlow(now)) {
      return new Exceeded(
          Limit.SLOW_SENDER,
          remote + " sends slower than " + WireLimits.BYTES_PER_SECOND_MIN + " bytes a second");
    }
    return null;
  }
}
