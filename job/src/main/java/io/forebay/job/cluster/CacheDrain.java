// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import io.forebay.client.durability.Ledger;
import io.forebay.client.job.Job;
import io.forebay.job.service.JobService.StageProgress;
import io.forebay.ring.Instance;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What the cache of a job has not written to its directory yet. For a batch system that is a stage
 * out: a job whose results did not reach their directory must not look as if all were well.
 */
final class CacheDrain {
  /** A store may be away for a moment; servers try again after growing pauses. */
  private static final int ATTEMPTS_MIN = 3;

  private final Boards boards;

  CacheDrain(Boards boards) {
    this.boards = boards;
  }

  /**
   * How far it is; complete for a job without a cache.
   *
   * @param own the job's own instance; null if it has none
   */
  StageProgress progress(Job job, @Nullable Instance own) throws IOException {
    if (own == null || !own.drain().over()) return new StageProgress.Complete();
    return progress(boards.withBuffer(job, job.instance(), buffer -> buffer.ledger()));
  }

  /** A file for which no drain is due is drained by the end of the instance. */
  static StageProgress progress(Ledger ledger) {
    long open = 0;
    Ledger.@Nullable Entry failing = null;
    for (Ledger.Entry each : ledger.entries()) {
      if (each.state() == Ledger.State.DURABLE || each.state() == Ledger.State.BUFFERED) continue;
      open++;
      boolean stuck = !each.lastError().isEmpty() && each.attempts() >= ATTEMPTS_MIN;
      if (stuck || each.state() == Ledger.State.CHANGED) failing = each;
    }
    if (open == 0) return new StageProgress.Complete();
    if (failing == null) return new StageProgress.Running();
    return new StageProgress.Failed(
        "%d files of the cache are not in their directory, such as '%s': %s; the servers go on when that is corrected"
            .formatted(open, failing.path(), failing.lastError()));
  }
}
