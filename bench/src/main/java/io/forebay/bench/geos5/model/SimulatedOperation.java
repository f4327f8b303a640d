// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import io.forebay.bench.geos5.model.VirtualTime.Coroutine;
import io.forebay.parallel.Operation;
import org.jspecify.annotations.Nullable;

/** A message or task of a simulated rank. */
class SimulatedOperation implements Operation {
  private final SimulatedJob job;
  private final SimulatedJob.Rank owner;
  private boolean done;
  private @Nullable String problem;
  private @Nullable Coroutine waiter;

  SimulatedOperation(SimulatedJob job, SimulatedJob.Rank owner) {
    this.job = job;
    this.owner = owner;
  }

  @Override
  public boolean isDone() {
    if (!done) job.check();
    if (problem != null) throw new IllegalArgumentException(problem);
    return done;
  }

  /** Whether it has ended, without the checks for the program. */
  boolean hasEnded() {
    return done;
  }

  void wakeWhenDone(Coroutine coroutine) {
    waiter = coroutine;
  }

  void finish() {
    done = true;
    owner.finished++;
    if (waiter != null) job.time().wake(waiter, job.time().now());
  }

  void finishWith(String complaint) {
    problem = complaint;
    finish();
  }

  /** What is waited for, in words. */
  String description() {
    return "a task";
  }
}
