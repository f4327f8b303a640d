// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.Limit;
import io.forebay.wire.WireLimits;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.HashSet;
import java.util.Set;

/**
 * What a client's connection takes of its loop: unread answers, and requests without an answer. A
 * request counts until it is answered, or for a few minutes: some are never answered.
 */
final class ClientAccount {
  /** After one to two of these, a request does not count any more. */
  static final long FORGET_NANOS = 120_000_000_000L;

  /** The answer to requests that are not taken. */
  static final Message REFUSAL =
      new Replies.Failed(
          ErrorCode.BUSY, "too many requests of this connection are under way; try again later");

  private final TcpLoop loop;
  private final int requestsMax;
  private Set<Long> recent = new HashSet<>();
  private Set<Long> earlier = new HashSet<>();
  private long turnedNanos;
  private long countedBytes;
  private boolean piledUp;

  ClientAccount(TcpLoop loop) {
    this(loop, WireLimits.REQUESTS_MAX);
  }

  ClientAccount(TcpLoop loop, int requestsMax) {
    this.loop = loop;
    this.requestsMax = requestsMax;
    this.turnedNanos = loop.nanos();
  }

  /** A request has come; false if it must be refused. */
  boolean takes(long request) {
    // A payload that had to wait for room is announced again.
    if (request == 0 || recent.contains(request) || earlier.contains(request)) return true;
    if (recent.size() + earlier.size() >= requestsMax) {
      loop.limits().reached(Limit.REQUESTS_PER_CONNECTION);
      return false;
    }
    recent.add(request);
    return true;
  }

  void answered(long request) {
    // Nothing counts where no client asks.
    if (request == 0 || (recent.isEmpty() && earlier.isEmpty())) return;
    if (!recent.remove(request)) earlier.remove(request);
  }

  /** Called at intervals. */
  void watch(long now) {
    if (now - turnedNanos < FORGET_NANOS) return;
    turnedNanos = now;
    Set<Long> forgotten = earlier;
    forgotten.clear();
    earlier = recent;
    recent = forgotten;
  }

  /** Tells the loop how much of its memory answers of this connection take. */
  void queued(long bytes) {
    long more = bytes - countedBytes;
    countedBytes = bytes;
    loop.answers(more);
  }

  /** Whether so many answers are unread that no more requests are taken. */
  boolean pilesUp(long bytes) {
    boolean before = piledUp;
    piledUp = bytes > WireLimits.ANSWER_BYTES_MAX;
    if (piledUp && !before) loop.limits().reached(Limit.UNREAD_ANSWERS);
    return piledUp;
  }

  /** Whether that was so when it was last asked. */
  boolean wasPiledUp() {
    return piledUp;
  }
}
