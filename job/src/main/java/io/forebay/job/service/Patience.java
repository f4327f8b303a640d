// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.service;

import io.forebay.job.service.Arguments.Misused;
import io.forebay.job.service.Command.Answer;
import io.forebay.job.service.Command.Presence;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Repeats a function while the manager or servers are away, or a pool has no room. A batch system
 * holds a job whose function failed, and an operator has to release it. All functions may be
 * repeated.
 */
final class Patience {
  private static final long PAUSE_MILLIS = 500;

  /** Below Slurm's OtherTimeout: what Slurm ends by itself has no sentence for the user. */
  static final Duration SHORT = Duration.ofSeconds(100);

  /** Stages have timeouts of their own in Slurm, a day unless they are configured. */
  static final Duration LONG = Duration.ofDays(1);

  /** One attempt. */
  interface Step {
    Answer run() throws Misused, JobFailed;
  }

  private Patience() {}

  /** Runs it until its failure is no passing one, the caller is gone, or the time is over. */
  static Answer with(Duration atMost, Presence presence, Step step) throws Misused, JobFailed {
    long endNanos = System.nanoTime() + atMost.toNanos();
    while (true) {
      try {
        return step.run();
      } catch (JobFailed e) {
        boolean over = System.nanoTime() - endNanos >= 0;
        if (!e.isPassing() || over || !presence.isWaiting()) throw e;
      }
      pause();
    }
  }

  private static void pause() throws JobFailed {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JobFailed("the agent is ending; its next start goes on", e);
    }
  }
}
