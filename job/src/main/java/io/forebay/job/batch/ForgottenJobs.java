// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.batch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides which jobs their batch system has forgotten. One thread.
 *
 * <ol>
 *   <li>A job that has begun, and that a list of the batch system does not have, is missing.
 *   <li>A list that has the job, or a list that fails, starts over.
 *   <li>A job is forgotten when it is missing in several lists in a row over a while: a batch
 *       system that was just restarted may know less for a moment.
 * </ol>
 */
final class ForgottenJobs {
  static final int LISTS_MIN = 3;

  /** When a job was first missing, and in how many lists since. */
  private record Missing(long sinceNanos, int lists) {}

  private final long missingNanosMin;
  private Map<String, Missing> missing = new HashMap<>();

  /**
   * No list was seen.
   *
   * @param missingNanosMin the least time between the first and the last list
   */
  ForgottenJobs(long missingNanosMin) {
    this.missingNanosMin = missingNanosMin;
  }

  /**
   * The jobs that are forgotten by now.
   *
   * @param begun the jobs that there were before the list was asked for
   * @param live the jobs in the list
   */
  List<String> next(Collection<String> begun, Set<String> live, long nowNanos) {
    Map<String, Missing> still = new HashMap<>();
    List<String> forgotten = new ArrayList<>();
    for (String token : begun) {
      if (live.contains(token)) continue;
      Missing before = missing.get(token);
      Missing now =
          before == null
              ? new Missing(nowNanos, 1)
              : new Missing(before.sinceNanos(), before.lists() + 1);
      still.put(token, now);
      if (isForgotten(now, nowNanos)) forgotten.add(token);
    }
    missing = still;
    return forgotten;
  }

  private boolean isForgotten(Missing job, long nowNanos) {
    return job.lists() >= LISTS_MIN && nowNanos - job.sinceNanos() >= missingNanosMin;
  }

  /** A list failed. */
  void startOver() {
    missing.clear();
  }
}
