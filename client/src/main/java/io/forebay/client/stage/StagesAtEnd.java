// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.stage;

import io.forebay.client.core.retry.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The stages of an instance that ends: begins the deferred ones, and those that have failed again
 * after a while. Called by the server that works on the instance's stages; stateless, so that
 * another server continues.
 */
public final class StagesAtEnd {
  private static final Duration RETRY_MIN = Duration.ofSeconds(10);
  private static final Duration RETRY_MAX = Duration.ofMinutes(5);
  private static final Backoff BACKOFF = Backoff.exact(RETRY_MIN.toNanos(), RETRY_MAX.toNanos());

  private StagesAtEnd() {}

  /**
   * Begins what is due now.
   *
   * @param now by the wall clock, which says how long ago a stage failed
   */
  public static void begin(StageBoard board, Instant now) throws IOException {
    List<String> due = board.due();
    List<String> open = board.open();
    for (String id : open) {
      if (!due.contains(id)) take(board, id);
    }
    for (String id : due) {
      if (open.contains(id)) continue;
      StageNote.Job job = board.job(id);
      if (job == null) {
        // Its client died while it wrote the request.
        board.remove(id);
        continue;
      }
      StageNote.Progress known = board.progress(id);
      if (known.state() != StageStatus.State.FAILED) board.begin(id);
      else if (isRetryDue(known, now)) board.retry(id);
    }
  }

  /** From now on a stage out may not fail; what is staged in can be written nowhere. */
  private static void take(StageBoard board, String id) throws IOException {
    StageNote.Job job = board.job(id);
    if (job == null) return;
    if (job.request().direction() == StageRequest.Direction.OUT) board.setDue(id);
    else if (!board.isCancelled(id)) board.cancel(id);
  }

  static boolean isRetryDue(StageNote.Progress failed, Instant now) {
    long sinceNanos = StageBoard.nanos(now) - failed.endedNanos();
    // A clock that was set back must not delay it for long.
    return sinceNanos < 0 || sinceNanos >= BACKOFF.nanos(Math.max(1, failed.attempt()));
  }
}
