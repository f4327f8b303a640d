// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.service;

import io.forebay.job.service.Arguments.Misused;
import io.forebay.job.service.Command.Answer;
import java.util.HashSet;
import java.util.Set;

/**
 * Lets calls that begin or end the same job follow one another. A batch system kills the setup of a
 * job that is cancelled and calls its end at once, while the agent still works on the setup: what
 * the setup made must be there to be ended. Any thread may call; there are no more tokens than the
 * agent has callers.
 */
final class TokenTurns {
  /** What is done in a turn. */
  interface Step {
    Answer run() throws Misused, JobFailed;
  }

  private final Set<String> taken = new HashSet<>();

  /** Runs it when no other call for the token runs. */
  Answer take(String token, Step step) throws Misused, JobFailed {
    await(token);
    try {
      return step.run();
    } finally {
      giveBack(token);
    }
  }

  private synchronized void await(String token) throws JobFailed {
    try {
      while (!taken.add(token)) wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JobFailed("the agent is ending; its next start goes on", e);
    }
  }

  private synchronized void giveBack(String token) {
    taken.remove(token);
    notifyAll();
  }
}
