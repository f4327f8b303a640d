// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.retry;

import io.forebay.base.GroupId;
import io.forebay.base.Timers;
import org.jspecify.annotations.Nullable;

/**
 * How long one request is tried. The time that an operation may take is counted from the request's
 * last progress, so that slow but working servers do not make it fail. Progress is:
 *
 * <ol>
 *   <li>bytes of the request or of its answer move;
 *   <li>the server answers other requests, or answers late;
 *   <li>the group has another epoch: its seats are taking over.
 * </ol>
 *
 * <p>A refusal is no progress: a group without members and a full ring refuse forever. A write that
 * was refused for lack of room progresses only while the seats accept other writes of its client,
 * since full seats answer as quickly as others. A request that makes progress without completing
 * fails after {@link #PROGRESS_TIMES} times the operation's time.
 */
final class Deadline {
  /** The multiple of an operation's time that a request may progress without completing. */
  static final int PROGRESS_TIMES = 10;

  private final Timers timers;
  private final long allowedNanos;
  private final long startNanos;
  private long progressNanos;
  private @Nullable GroupId group;
  private long epoch;

  /** Begins to count at a time that may be past. */
  Deadline(Timers timers, long allowedNanos, long startNanos) {
    this.timers = timers;
    this.allowedNanos = allowedNanos;
    this.startNanos = startNanos;
    this.progressNanos = startNanos;
  }

  long startNanos() {
    return startNanos;
  }

  /** A try that began then has no answer; the server last worked for this client at the other. */
  void unanswered(long askedNanos, long livedNanos) {
    if (livedNanos - askedNanos > 0) progressed(livedNanos);
  }

  /** The group that is asked now has this epoch by the map. */
  void atEpoch(GroupId asked, long now) {
    if (asked.equals(group) && now > epoch) progressed(timers.nanos());
    group = asked;
    epoch = now;
  }

  /** Something showed at that time that the request may succeed. */
  void progressed(long nanos) {
    if (nanos - progressNanos > 0) progressNanos = nanos;
  }

  boolean isOver() {
    long now = timers.nanos();
    return now - progressNanos >= allowedNanos || now - startNanos >= PROGRESS_TIMES * allowedNanos;
  }

  /** For how long it was tried, for messages to people; the time allowed if nothing moved. */
  long triedNanos() {
    return progressNanos == startNanos ? allowedNanos : timers.nanos() - startNanos;
  }
}
